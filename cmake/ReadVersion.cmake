# Reads `version` from the public header, where the number is defined.
set(version_header ${CMAKE_CURRENT_LIST_DIR}/../include/bisector/version.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})

file(STRINGS ${version_header} version_line REGEX "kVersion = ")
if(NOT version_line MATCHES "\"([0-9]+\\.[0-9]+\\.[0-9]+)\"")
  message(FATAL_ERROR "${version_header}: no version, expected kVersion = \"1.2.3\"")
endif()
set(version ${CMAKE_MATCH_1})
