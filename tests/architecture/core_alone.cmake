# Builds, installs and uses the component core where nothing that only other components need can be
# found: their packages are disabled, and each of their headers is an error.
#   cmake -DSOURCE_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCXX=... -P core_alone.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../consumer/use.cmake)
set(PREFIX ${WORK_DIR}/prefix)
set(build ${WORK_DIR}/build)

set(packages libsvm libzip ZLIB zstd nlohmann_json CLI11 OpenSSL)
set(headers svm.h libsvm/svm.h zip.h zlib.h zstd.h nlohmann/json.hpp nlohmann/json_fwd.hpp
    CLI/CLI.hpp openssl/evp.h)
set(libraries bisector_core fmt hwy stdc++ m gcc_s c)

file(REMOVE_RECURSE ${PREFIX})
foreach(header IN LISTS headers)
  file(WRITE ${WORK_DIR}/forbidden/${header} "#error core includes ${header}\n")
endforeach()
list(TRANSFORM packages REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON" OUTPUT_VARIABLE disabled)
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} --log-level=WARNING --no-warn-unused-cli
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=-I${WORK_DIR}/forbidden -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DBUILD_SHARED_LIBS=ON -DBISECTOR_COMPONENTS=core
    -DBISECTOR_FAST_BUILD=ON -DBISECTOR_BUILD_CLI=OFF -DBISECTOR_BUILD_TESTS=OFF ${disabled})
run(${CMAKE_COMMAND} --build ${build})
run(${CMAKE_COMMAND} --install ${build} --prefix ${PREFIX})
use(core)
refuse(io)

# What the program loads, all that its libraries load included.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${WORK_DIR}/uses_core/consumer
     RESOLVED_DEPENDENCIES_VAR loaded)
foreach(library IN LISTS loaded)
  get_filename_component(name ${library} NAME)
  string(REGEX REPLACE "^lib(.+)\\.so.*" "\\1" name ${name})
  if(NOT name MATCHES "^ld-linux" AND NOT name IN_LIST libraries)
    message(FATAL_ERROR "core loads ${library}, expected ${libraries}")
  endif()
endforeach()
