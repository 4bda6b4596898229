# Installation rules: components with headers, package files for find_package(bisector), and the
# command if it is built.
include(CMakePackageConfigHelpers)

# Users of a static library link its dependencies themselves, which then must be installed.
get_property(fetched GLOBAL PROPERTY bisector_fetched)
if(fetched AND NOT BUILD_SHARED_LIBS)
  message(STATUS "the library gets no install rules: it is static, and ${fetched} were fetched "
                 "(-DBUILD_SHARED_LIBS=ON installs a shared one)")
  if(TARGET bisector_cli)
    install(TARGETS bisector_cli)
  endif()
  return()
endif()

# `cmake --install --component library` needs only the targets of the library to be built.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bisector)

foreach(component IN LISTS bisector_built_components)
  install(TARGETS bisector_${component} EXPORT bisector-${component}-targets
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT bisector-${component}-targets NAMESPACE bisector:: DESTINATION ${package_dir})
endforeach()

# Before version 1.0, each minor version may change the interface.
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
  install(TARGETS bisector_cli COMPONENT command)
endif()

# Usage: pkg-config --cflags --libs bisector-io, with --static for a static library.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
set(pc_private_core libhwy fmt)
set(pc_private_io libzip zlib)
if(bisector_has_zstd)
  list(APPEND pc_private_io libzstd)
endif()
set(pc_libs_core -pthread)
set(pc_libs_train -lsvm)
foreach(component IN LISTS bisector_built_components)
  list(TRANSFORM bisector_needs_${component} PREPEND bisector- OUTPUT_VARIABLE pc_requires)
  list(JOIN pc_requires " " pc_requires)
  list(JOIN pc_private_${component} " " pc_requires_private)
  list(JOIN pc_libs_${component} " " pc_libs_private)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/bisector.pc.in
                 ${PROJECT_BINARY_DIR}/bisector-${component}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bisector-${component}.pc DESTINATION ${pc_dir})
endforeach()
