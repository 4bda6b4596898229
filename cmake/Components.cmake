# The components of the library and their dependencies:
#
#     core <- io <- train        core <- report
#
# The build reads this file, and so does find_package(bisector) after installation.
set(bisector_components core io train report)
set(bisector_needs_io core)
set(bisector_needs_train core io)
set(bisector_needs_report core)

# bisector_with_needs(RESULT components...): the components with their dependencies, in the order of
# the list above.
function(bisector_with_needs result)
  set(wanted ${ARGN})
  foreach(component IN LISTS ARGN)
    list(APPEND wanted ${bisector_needs_${component}})
  endforeach()
  set(ordered)
  foreach(component IN LISTS bisector_components)
    if(component IN_LIST wanted)
      list(APPEND ordered ${component})
    endif()
  endforeach()
  set(${result} ${ordered} PARENT_SCOPE)
endfunction()
