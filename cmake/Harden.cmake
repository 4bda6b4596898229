# What stands between a bug and somebody who would use it: checked stacks and buffers, addresses that
# differ from run to run, and tables of functions that nobody can write to once the program runs.
include(CheckPIESupported)
check_pie_supported()
option(BISECTOR_HARDEN "Compile and link with stack protection, fortified calls, RELRO and PIE" ON)

# The sanitizers bring checks of their own, which fortified calls would hide from them.
function(bisector_harden target)
  if(NOT BISECTOR_HARDEN OR MSVC OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    return()  # MSVC has stack checks, address randomization and data execution prevention on by itself
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  # Fortified calls need an optimized build. A distribution's own flags may have set a level already.
  target_compile_options(${target} PRIVATE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  if(NOT APPLE AND NOT WIN32)
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
  endif()
endfunction()
