# The rules of the house that the build enforces: a room exports only its own
# include/, every source on disk belongs to a target, every table row has its
# file and every file its row, every public header compiles alone.

option(FORGE_FUZZ_ENGINE "Link libFuzzer instead of the replay main" OFF)
option(FORGE_STATIC_TOOL "Link the tool's libraries from their static archives" ON)

add_library(forge_flags INTERFACE)
target_compile_features(forge_flags INTERFACE cxx_std_20)
target_compile_options(forge_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wswitch -Werror -fno-strict-overflow -fstack-protector-strong)

# forge_library(name SOURCES ... [LINK ...] [PRIVATE ...]): one room (or one
# target of a room). LINK names what its public headers need, PRIVATE the rest.
function(forge_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRIVATE")
  add_library(forge_${name} STATIC ${arg_SOURCES})
  add_library(forge::${name} ALIAS forge_${name})
  file(GLOB_RECURSE public CONFIGURE_DEPENDS include/*.hpp include/*.h)
  target_sources(forge_${name} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${public})
  target_include_directories(forge_${name} PRIVATE src)
  target_compile_features(forge_${name} PUBLIC cxx_std_20)
  target_link_libraries(forge_${name} PUBLIC ${arg_LINK} PRIVATE forge_flags ${arg_PRIVATE})
  set_target_properties(forge_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
  forge_no_orphans(src ${arg_SOURCES})
endfunction()

# A source on disk that no target lists is an error, not a silent skip.
function(forge_no_orphans dir)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${dir}/*.cpp")
  list(REMOVE_ITEM found ${ARGN})
  if(found)
    message(FATAL_ERROR "not listed in any target: ${found}")
  endif()
endfunction()

# forge_rows_match(def macro files...): each file stem has exactly one row in
# the .def table, and each row its file.
function(forge_rows_match def macro)
  file(STRINGS "${def}" lines REGEX "^${macro}\\(")
  set(rows "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^${macro}\\(([a-z0-9_]+).*" "\\1" row "${line}")
    list(APPEND rows ${row})
  endforeach()
  set(stems "")
  foreach(f IN LISTS ARGN)
    cmake_path(GET f STEM stem)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT rows)
  list(SORT stems)
  if(NOT rows STREQUAL stems)
    message(FATAL_ERROR "${def}: rows [${rows}] and files [${stems}] differ")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${def}")
endfunction()

# forge_fuzzer(name rooms...): fuzz/<name>_fuzz.cpp with its seeds in
# fuzz/corpus/<name>; with the engine off the seeds are replayed by a plain main.
function(forge_fuzzer name)
  add_executable(${name}_fuzz ${name}_fuzz.cpp)
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN} forge_flags)
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}")
  if(FORGE_FUZZ_ENGINE)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz.${name} COMMAND ${name}_fuzz -runs=0 "${corpus}")
  else()
    target_sources(${name}_fuzz PRIVATE replay_main.cpp)
    add_test(NAME fuzz.${name} COMMAND ${name}_fuzz "${corpus}")
  endif()
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
endfunction()
