# Finds LIBSVM, which has no CMake package, and defines libsvm::svm.
find_path(LIBSVM_INCLUDE_DIR svm.h PATH_SUFFIXES libsvm)
find_library(LIBSVM_LIBRARY svm)
mark_as_advanced(LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libsvm REQUIRED_VARS LIBSVM_LIBRARY LIBSVM_INCLUDE_DIR)

if(libsvm_FOUND AND NOT TARGET libsvm::svm)
  add_library(libsvm::svm UNKNOWN IMPORTED)
  set_target_properties(libsvm::svm PROPERTIES
    IMPORTED_LOCATION ${LIBSVM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LIBSVM_INCLUDE_DIR})
endif()
