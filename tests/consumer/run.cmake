# Installs a build into an empty folder and uses it from a separate project:
#   cmake -DBUILD_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCXX=... -P run.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/use.cmake)
set(PREFIX ${WORK_DIR}/prefix)

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX})
foreach(page IN ITEMS man/man1/bisector.1
        bash-completion/completions/bisector zsh/site-functions/_bisector
        fish/vendor_completions.d/bisector.fish)
  if(EXISTS ${PREFIX}/bin/bisector AND NOT EXISTS ${PREFIX}/share/${page})
    message(FATAL_ERROR "the command was installed without share/${page}")
  endif()
endforeach()
use()
use(core io)
use(core)
refuse(telepathy)
use_pkg_config(core core.cpp)
use_pkg_config(io entry_point.cpp)
