# Functions for scripts that use an installed bisector. They expect PREFIX, where it is installed,
# WORK_DIR, GENERATOR and CXX.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# prepare(components...): sets `build`, a folder named after the components, and `configure`, the
# command that configures the project beside this file with them.
function(prepare)
  list(JOIN ARGN "," components)
  set(build ${WORK_DIR}/uses_${components})
  set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR} -B ${build} -G ${GENERATOR}
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${PREFIX} -DCOMPONENTS=${components})
  set(build ${build} PARENT_SCOPE)
  set(configure ${configure} PARENT_SCOPE)
endfunction()

# use(components...): builds and runs the project with these, or with none given with all.
function(use)
  prepare(${ARGN})
  run(${configure})
  run(${CMAKE_COMMAND} --build ${build})
  execute_process(COMMAND ${build}/consumer WORKING_DIRECTORY ${build} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# use_pkg_config(COMPONENT SOURCE): builds and runs SOURCE by what pkg-config says of a static library.
function(use_pkg_config component source)
  file(GLOB_RECURSE file ${PREFIX}/*/bisector-${component}.pc)
  get_filename_component(folder ${file} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND pkg-config --static --cflags --libs bisector-${component}
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND pkg-config --modversion bisector-${component}
                  OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(program ${WORK_DIR}/by_pkg_config_${component})
  run(${CXX} -DPACKAGE_VERSION="${version}" ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${source} -o ${program} ${flags})
  execute_process(COMMAND ${program} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# refuse(COMPONENT): the project must not configure, and must say that this component is missing.
function(refuse component)
  prepare(core ${component})
  execute_process(COMMAND ${configure} RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " error "${error}")
  if(result EQUAL 0 OR NOT error MATCHES "component ${component} is not installed in .*, which has core")
    message(FATAL_ERROR "a project with the component ${component} ended with ${result}: ${error}\n"
                        "expected a refusal that names the component and those that are installed")
  endif()
endfunction()
