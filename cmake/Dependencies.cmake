# Dependencies: bisector_require(fmt hwy ...) creates their targets from system libraries or, if the
# system has none, from downloaded sources: the project's own, pinned by version and SHA-256, or those of
# the system's Debian, which apt-get finds and verifies.
#
#   BISECTOR_FETCH=ON      download libraries that the system does not have
#   BISECTOR_FETCH=OFF     download nothing; a missing library is an error
#   BISECTOR_FETCH=ALWAYS  use the pinned sources in any case and link them statically, for wheels
#
# FETCHCONTENT_SOURCE_DIR_<NAME> (HWY, FMT, LIBZIP, ...) names a folder with existing sources.
include(FetchContent)
set(BISECTOR_FETCH ON CACHE STRING "Fetch the libraries that the system lacks: ON, OFF or ALWAYS")
set_property(CACHE BISECTOR_FETCH PROPERTY STRINGS ON OFF ALWAYS)
set(bisector_fetches ON)
if(NOT BISECTOR_FETCH)
  set(bisector_fetches OFF)
endif()

# Per library: the target, Debian's binary package, the project's archive, and Debian's source package,
# which is used if the archive cannot be downloaded.
set(bisector_target_hwy hwy::hwy)
set(bisector_package_hwy libhwy-dev)
set(bisector_archive_hwy https://github.com/google/highway/archive/refs/tags/1.0.3.tar.gz
    566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e)
set(bisector_source_hwy highway)

set(bisector_target_fmt fmt::fmt)
set(bisector_package_fmt libfmt-dev)
set(bisector_archive_fmt https://github.com/fmtlib/fmt/releases/download/9.1.0/fmt-9.1.0.zip
    cceb4cb9366e18a5742128cb3524ce5f50e88b476f1e54737a47ffdf4df4c996)
set(bisector_source_fmt fmtlib)

set(bisector_target_Eigen3 Eigen3::Eigen)
set(bisector_package_Eigen3 libeigen3-dev)
set(bisector_archive_Eigen3 https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.bz2
    b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626)
set(bisector_source_Eigen3 eigen3)

set(bisector_target_ZLIB ZLIB::ZLIB)
set(bisector_package_ZLIB zlib1g-dev)
set(bisector_archive_ZLIB https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
    9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23)
set(bisector_source_ZLIB zlib)

set(bisector_target_libzip libzip::zip)
set(bisector_package_libzip libzip-dev)
set(bisector_archive_libzip
    https://github.com/nih-at/libzip/releases/download/v1.11.3/libzip-1.11.3.tar.xz
    9509d878ba788271c8b5abca9cfde1720f075335686237b7e9a9e7210fe67c1b)
set(bisector_source_libzip libzip)

set(bisector_target_nlohmann_json nlohmann_json::nlohmann_json)
set(bisector_package_nlohmann_json nlohmann-json3-dev)
set(bisector_archive_nlohmann_json
    https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
set(bisector_source_nlohmann_json nlohmann-json3)

set(bisector_target_CLI11 CLI11::CLI11)
set(bisector_package_CLI11 libcli11-dev)
set(bisector_archive_CLI11 https://github.com/CLIUtils/CLI11/archive/v2.4.1.tar.gz
    73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58)
set(bisector_source_CLI11 cli11)

set(bisector_target_libsvm libsvm::svm)
set(bisector_package_libsvm libsvm-dev)
set(bisector_archive_libsvm https://github.com/cjlin1/libsvm/archive/v332.tar.gz
    e1d7d316112d199ebd69c9695f79226d236b86e2c8d88e70cfe35fd383954ed8)
set(bisector_source_libsvm libsvm)

set(bisector_target_fast_float FastFloat::fast_float)
set(bisector_package_fast_float libfast-float-dev)
set(bisector_archive_fast_float https://github.com/fastfloat/fast_float/archive/v6.1.4.tar.gz
    12cb6d250824160ca16bcb9d51f0ca7693d0d10cb444f34f1093bc02acfce704)
set(bisector_source_fast_float fast-float)

set(bisector_target_GTest GTest::gtest_main)
set(bisector_package_GTest libgtest-dev)
set(bisector_archive_GTest https://github.com/google/googletest/archive/release-1.12.1.tar.gz
    81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2)
set(bisector_source_GTest googletest)

# bisector_library(NAME INCLUDE folder SOURCES files...): a static library built from its sources
# without warnings. Without sources, the library is header-only.
function(bisector_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE" "SOURCES;DEFINITIONS")
  set(target fetched_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
                          CXX_CLANG_TIDY "")
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${MSVC}>,/w,-w>)
    target_compile_definitions(${target} PUBLIC ${arg_DEFINITIONS})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} SYSTEM ${scope} $<BUILD_INTERFACE:${arg_INCLUDE}>)
  # Not an alias: an exported target that links this one names it without exporting it.
  add_library(${bisector_target_${name}} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${bisector_target_${name}} INTERFACE ${target})
endfunction()

function(bisector_build_hwy source)
  bisector_library(hwy INCLUDE ${source} DEFINITIONS HWY_STATIC_DEFINE
                   SOURCES ${source}/hwy/aligned_allocator.cc ${source}/hwy/per_target.cc
                           ${source}/hwy/targets.cc)
endfunction()

function(bisector_build_fmt source)
  bisector_library(fmt INCLUDE ${source}/include SOURCES ${source}/src/format.cc)
endfunction()

function(bisector_build_Eigen3 source)
  bisector_library(Eigen3 INCLUDE ${source})
endfunction()

function(bisector_build_ZLIB source)
  file(GLOB sources ${source}/*.c)
  bisector_library(ZLIB INCLUDE ${source} SOURCES ${sources})
  if(NOT WIN32)
    target_compile_definitions(fetched_ZLIB PRIVATE HAVE_UNISTD_H)
  endif()
endfunction()

# The build of libzip detects the features of the C library. Encryption and compression methods that
# NPZ files do not use are disabled, so that libcrypto is not needed.
function(bisector_build_libzip source)
  set(CMAKE_POLICY_DEFAULT_CMP0063 NEW)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  set(BUILD_SHARED_LIBS OFF)
  foreach(part IN ITEMS ENABLE_COMMONCRYPTO ENABLE_GNUTLS ENABLE_MBEDTLS ENABLE_OPENSSL
          ENABLE_WINDOWS_CRYPTO ENABLE_BZIP2 ENABLE_LZMA ENABLE_ZSTD BUILD_TOOLS BUILD_REGRESS
          BUILD_EXAMPLES BUILD_DOC BUILD_OSSFUZZ LIBZIP_DO_INSTALL)
    set(${part} OFF)
  endforeach()
  set(CMAKE_C_VISIBILITY_PRESET hidden)
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
  add_subdirectory(${source} ${CMAKE_BINARY_DIR}/_deps/libzip-build EXCLUDE_FROM_ALL SYSTEM)
  target_compile_options(zip PRIVATE $<IF:$<BOOL:${MSVC}>,/w,-w>)
  if(NOT TARGET libzip::zip)
    add_library(libzip::zip ALIAS zip)
  endif()
endfunction()

function(bisector_build_nlohmann_json source)
  bisector_library(nlohmann_json INCLUDE ${source}/include)
endfunction()

function(bisector_build_CLI11 source)
  bisector_library(CLI11 INCLUDE ${source}/include)
endfunction()

function(bisector_build_libsvm source)
  bisector_library(libsvm INCLUDE ${source} SOURCES ${source}/svm.cpp)
endfunction()

function(bisector_build_GTest source)
  set(source ${source}/googletest)
  bisector_library(GTest INCLUDE ${source}/include
                   SOURCES ${source}/src/gtest-all.cc ${source}/src/gtest_main.cc)
  target_include_directories(fetched_GTest PRIVATE ${source})
  target_link_libraries(fetched_GTest PUBLIC Threads::Threads)
endfunction()

function(bisector_build_fast_float source)
  bisector_library(fast_float INCLUDE ${source}/include)
endfunction()

# Libraries without a CMake package.
macro(bisector_find_libzip)
  find_package(libzip MODULE QUIET)
endmacro()
macro(bisector_find_libsvm)
  find_package(libsvm MODULE QUIET)
endmacro()
macro(bisector_find_ZLIB)
  find_package(ZLIB QUIET)
endmacro()
macro(bisector_find_fast_float)
  find_package(FastFloat CONFIG QUIET)
endmacro()

set(bisector_archives ${CMAKE_BINARY_DIR}/_deps/archives)

# Sets `result` to the project's own archive of a library, or to nothing.
function(bisector_download_own name result)
  list(GET bisector_archive_${name} 0 url)
  list(GET bisector_archive_${name} 1 hash)
  get_filename_component(file ${url} NAME)
  set(file ${bisector_archives}/${name}-${file})
  if(NOT EXISTS ${file})
    message(STATUS "${name}: from ${url}")
    file(DOWNLOAD ${url} ${file} STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 30)
  endif()
  set(found)
  if(EXISTS ${file})
    file(SHA256 ${file} found)
  endif()
  if(NOT found STREQUAL hash)
    file(REMOVE ${file})
    set(file)
    message(STATUS "${name}: ${url} could not be downloaded, or has another checksum (${status})")
  endif()
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# Sets `result` to the archive of the library's Debian source package, or to nothing.
function(bisector_download_debian name result)
  set(package ${bisector_source_${name}})
  file(MAKE_DIRECTORY ${bisector_archives})
  file(GLOB file ${bisector_archives}/${package}_*.orig.tar.*)
  if(NOT file)
    message(STATUS "${name}: from Debian's source package ${package}")
    execute_process(COMMAND ${bisector_cmake}/debian-source ${package} ${bisector_archives}
                    OUTPUT_QUIET ERROR_VARIABLE problem RESULT_VARIABLE status)
    file(GLOB file ${bisector_archives}/${package}_*.orig.tar.*)
    if(NOT file)
      message(STATUS "${name}: no source package ${package} by apt-get (${status}: ${problem})")
    endif()
  endif()
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# Sets `result` to the downloaded archive of a library. Once the project's own could not be downloaded,
# Debian's are tried first.
set(bisector_cmake ${CMAKE_CURRENT_LIST_DIR})
function(bisector_download name result)
  get_property(debian_first GLOBAL PROPERTY bisector_debian_first)
  set(places own debian)
  if(debian_first)
    set(places debian own)
  endif()
  foreach(place IN LISTS places)
    cmake_language(CALL bisector_download_${place} ${name} file)
    if(file)
      set(${result} ${file} PARENT_SCOPE)
      return()
    endif()
    set_property(GLOBAL PROPERTY bisector_debian_first ON)
  endforeach()
  message(FATAL_ERROR "${name} could not be downloaded: install ${bisector_package_${name}}, or name a "
                      "folder with its sources in FETCHCONTENT_SOURCE_DIR_<NAME>")
endfunction()

function(bisector_fetch name)
  set(override)
  if(name STREQUAL "ZLIB")
    set(override OVERRIDE_FIND_PACKAGE)  # the build of libzip calls find_package for it
  endif()
  string(TOLOWER ${name} content)
  string(TOUPPER ${name} upper)
  set(archive)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper})
    bisector_download(${name} file)
    set(archive URL ${file} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  endif()
  # The subfolder does not exist on purpose: the sources are unpacked but their build is not used.
  FetchContent_Declare(${name} ${archive} SOURCE_SUBDIR not-entered ${override})
  FetchContent_MakeAvailable(${name})
  cmake_language(CALL bisector_build_${name} ${${content}_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY bisector_fetched ${name})
endfunction()

macro(bisector_require)
  foreach(library IN ITEMS ${ARGN})
    if(NOT TARGET ${bisector_target_${library}} AND NOT BISECTOR_FETCH STREQUAL "ALWAYS")
      if(COMMAND bisector_find_${library})
        cmake_language(CALL bisector_find_${library})
      else()
        find_package(${library} CONFIG QUIET)
      endif()
    endif()
    if(NOT TARGET ${bisector_target_${library}} AND NOT bisector_fetches)
      message(FATAL_ERROR "${library} was not found (Debian's package: ${bisector_package_${library}}), "
                          "and BISECTOR_FETCH is off")
    elseif(NOT TARGET ${bisector_target_${library}})
      bisector_fetch(${library})
    endif()
  endforeach()
endmacro()
