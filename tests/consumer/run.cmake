# Installs a build into a fresh folder, and uses it from a project of its own:
#   cmake -DBUILD_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCXX=... -P run.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/use.cmake)
set(PREFIX ${WORK_DIR}/prefix)

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX})
use()
use(core io)
use(core)
refuse(telepathy)
