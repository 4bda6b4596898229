# What `cmake --install` lays down: the library's components with their headers, the package files for
# find_package(bisector), and the command where it is built.
include(CMakePackageConfigHelpers)

# A static library leaves its own libraries to whoever links it, and would name ones that are not
# installed.
get_property(fetched GLOBAL PROPERTY bisector_fetched)
if(fetched AND NOT BUILD_SHARED_LIBS)
  message(STATUS "the library gets no install rules: it is static, and ${fetched} were fetched "
                 "(-DBUILD_SHARED_LIBS=ON installs a shared one)")
  if(TARGET bisector_cli)
    install(TARGETS bisector_cli)
  endif()
  return()
endif()

# What was linked to a Python environment stays here.
if(TARGET pyarrow_arrow)
  list(REMOVE_ITEM bisector_built_components columnar)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bisector)

foreach(component IN LISTS bisector_built_components)
  install(TARGETS bisector_${component} EXPORT bisector-${component}-targets
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT bisector-${component}-targets NAMESPACE bisector:: DESTINATION ${package_dir})
endforeach()

# While the version begins with 0, each minor version may break what came before it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bisector-config-version.cmake
  COMPATIBILITY SameMinorVersion)
get_target_property(library_type bisector_core TYPE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/bisector-config.cmake.in
  ${PROJECT_BINARY_DIR}/bisector-config.cmake INSTALL_DESTINATION ${package_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/bisector-config.cmake
  ${PROJECT_BINARY_DIR}/bisector-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Components.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Findlibsvm.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Findlibzip.cmake
  DESTINATION ${package_dir})

if(TARGET bisector_cli)
  install(TARGETS bisector_cli)
endif()

# pkg-config --cflags --libs bisector-io; with --static where the library is static.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
set(pc_private_core libhwy fmt)
set(pc_private_io libzip zlib)
if("LibLZMA::LibLZMA" IN_LIST bisector_packings)
  list(APPEND pc_private_io liblzma)
endif()
if("zstd::libzstd_shared" IN_LIST bisector_packings)
  list(APPEND pc_private_io libzstd)
endif()
set(pc_libs_core -pthread)
set(pc_libs_io -lbz2)
set(pc_libs_train -lsvm)
if(BISECTOR_LAPACK)
  list(APPEND pc_libs_train -llapack -lblas)
endif()
foreach(component IN LISTS bisector_built_components)
  list(TRANSFORM bisector_needs_${component} PREPEND bisector- OUTPUT_VARIABLE pc_requires)
  list(JOIN pc_requires " " pc_requires)
  list(JOIN pc_private_${component} " " pc_requires_private)
  list(JOIN pc_libs_${component} " " pc_libs_private)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/bisector.pc.in
                 ${PROJECT_BINARY_DIR}/bisector-${component}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bisector-${component}.pc DESTINATION ${pc_dir})
endforeach()
