# The libraries of DESIGN, each an imported target of our own. The tool links
# the static archives: start-up with the shared ones costs more than its work.

find_package(fmt 9 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

# forge_archive(target name...): an INTERFACE target of the named libraries, in
# link order; static archives unless the build asks for shared ones.
function(forge_archive target)
  add_library(${target} INTERFACE)
  foreach(name IN LISTS ARGN)
    if(FORGE_STATIC_TOOL)
      find_library(FORGE_LIB_${name} NAMES lib${name}.a REQUIRED)
    else()
      find_library(FORGE_LIB_${name} NAMES ${name} REQUIRED)
    endif()
    target_link_libraries(${target} INTERFACE ${FORGE_LIB_${name}})
  endforeach()
endfunction()

forge_archive(forge_crypto crypto)
forge_archive(forge_psl psl idn2 unistring)
forge_archive(forge_idn idn2 unistring)
forge_archive(forge_unistring unistring)
forge_archive(forge_boost_filesystem boost_filesystem)
target_link_libraries(forge_crypto INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
