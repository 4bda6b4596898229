"""`conan create packaging/conan` in a clone: the components core, io and report."""

import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

COMPONENTS = {"core": [], "io": ["core"], "report": ["core"]}


class BisectorConan(ConanFile):
    name = "bisector"
    description = "Explanations of distance-based models: how much each feature contributed"
    license = "BSD-3-Clause"
    topics = ("explainable-ai", "svm", "nearest-neighbors", "attribution")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True, "libzip/*:crypto": False}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "bisector", "version.h"))
        self.version = header.split('kVersion = "')[1].split('"')[0]

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, part, self._root(), self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("highway/1.0.3")
        self.requires("fmt/9.1.0")
        self.requires("eigen/3.4.0")
        self.requires("libzip/1.10.1")
        self.requires("zlib/[>=1.2.13 <2]")
        self.requires("bzip2/1.0.8")
        self.requires("nlohmann_json/3.11.3")
        self.requires("protozero/1.7.1")
        if self._reads_by_fast_float():
            self.requires("fast_float/[>=6 <9]")

    def _reads_by_fast_float(self):  # libc++ reads no numbers
        return str(self.settings.get_safe("compiler.libcxx")) == "libc++"

    def layout(self):
        cmake_layout(self)

    def generate(self):
        dependencies = CMakeDeps(self)  # by the names of the projects' own files
        dependencies.set_property("highway", "cmake_file_name", "hwy")
        dependencies.set_property("highway::hwy", "cmake_target_name", "hwy::hwy")
        dependencies.set_property("libzip", "cmake_find_mode", "both")
        dependencies.generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "BISECTOR_FETCH": "OFF", "BISECTOR_COMPONENTS": "core;io;report", "BISECTOR_BUILD_CLI": False,
            "BISECTOR_BUILD_TESTS": False, "BISECTOR_FAST_BUILD": True, "BISECTOR_INSTALL": True,
            # Nothing that is used only where the system happens to have it.
            "BISECTOR_WITH_ARROW": "OFF", "CMAKE_DISABLE_FIND_PACKAGE_LibLZMA": True,
            "CMAKE_DISABLE_FIND_PACKAGE_zstd": True})
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "bisector")
        used = {
            "core": ["highway::hwy", "fmt::fmt", "eigen::eigen"],
            "io": ["libzip::libzip", "zlib::zlib", "bzip2::bzip2", "nlohmann_json::nlohmann_json",
                   "protozero::protozero"],
            "report": ["nlohmann_json::nlohmann_json"]}
        if self._reads_by_fast_float():
            used["core"].append("fast_float::fast_float")
        for name, needed in COMPONENTS.items():
            component = self.cpp_info.components[name]
            component.libs = [f"bisector_{name}"]
            component.requires = needed + used[name]
            component.set_property("cmake_target_name", f"bisector::{name}")
            if self.settings.os in ("Linux", "FreeBSD"):
                component.system_libs = ["pthread", "m"]
