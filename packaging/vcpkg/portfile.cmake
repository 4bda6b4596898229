# An overlay port: `vcpkg install bisector --overlay-ports=packaging/vcpkg` in a clone builds its sources.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DBISECTOR_FETCH=OFF
        -DBISECTOR_COMPONENTS=core,io,report
        -DBISECTOR_BUILD_CLI=OFF
        -DBISECTOR_BUILD_TESTS=OFF
        -DBISECTOR_FAST_BUILD=ON
        -DBISECTOR_INSTALL=ON
        # Nothing that is used only where the system happens to have it.
        -DBISECTOR_WITH_ARROW=OFF
        -DCMAKE_DISABLE_FIND_PACKAGE_LibLZMA=ON
        -DCMAKE_DISABLE_FIND_PACKAGE_zstd=ON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/bisector)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
