# The tests of the tool as a whole, in Python (standard library only). Included by
# tests/CMakeLists.txt. Status 77 is a test that could not run here, and says so;
# where the environment's FORGE_REQUIRE names what is missing it fails instead.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

# forge_python_test(name script [ARGUMENT...])
function(forge_python_test name script)
  add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 LABELS python)
endfunction()

# The lines that a script prints of itself, as a list.
function(forge_python_list out script)
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script}" --list
    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

set(tool --binary "$<TARGET_FILE:forge-policy>")

# ---- oracle: against the real msb ----
set(msb_cache "$ENV{FORGE_MSB_CACHE}")
if(NOT msb_cache)
  set(msb_cache "${CMAKE_BINARY_DIR}/msb")
endif()
forge_python_test(oracle.install oracle/msb_install.py --cache "${msb_cache}")
set_tests_properties(oracle.install PROPERTIES FIXTURES_SETUP msb TIMEOUT 900)
forge_python_test(oracle.files oracle/oracle_test.py ${tool} --cache "${msb_cache}"
  --files "${CMAKE_CURRENT_LIST_DIR}/data/inputs" "${PROJECT_SOURCE_DIR}/examples")
forge_python_test(oracle.random oracle/oracle_test.py ${tool} --cache "${msb_cache}" --random 160)
forge_python_test(oracle.disks oracle/oracle_test.py ${tool} --cache "${msb_cache}" --disks)
forge_python_test(oracle.planted oracle/oracle_test.py ${tool} --cache "${msb_cache}" --planted)
forge_python_test(oracle.tables oracle/table_cases_test.py ${tool} --cache "${msb_cache}")
set_tests_properties(oracle.files oracle.random oracle.disks oracle.planted oracle.tables
  PROPERTIES FIXTURES_REQUIRED msb PROCESSORS 2)

# ---- tables: rows that were recorded elsewhere, by meaning ----
foreach(family names size cpus egress create_args_newest config_load legacy_warnings mount_configs enabled_gate
    mount_plan custom_mounts workspaces same_or_descendant worktree_dir path_checks)
  forge_python_test(tables.${family} tables/vectors_test.py ${tool} ${family})
endforeach()
forge_python_test(tables.inputs tables/inputs_test.py ${tool})
forge_python_test(tables.examples tables/inputs_test.py ${tool} --examples "${PROJECT_SOURCE_DIR}/examples")

# ---- cases: one test each ----
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/data/cases.jsonl")
forge_python_list(case_ids tables/cases_test.py)
foreach(id IN LISTS case_ids)
  forge_python_test(cases.${id} tables/cases_test.py ${tool} ${id})
endforeach()

# ---- golden: every byte of a command's output ----
file(GLOB golden_cases CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}/golden" "${CMAKE_CURRENT_LIST_DIR}/golden/*/*.case")
foreach(case IN LISTS golden_cases)
  string(REGEX REPLACE "\\.case$" "" name "${case}")
  string(REPLACE "/" "." name "${name}")
  forge_python_test(golden.${name} golden/golden_test.py ${tool} "${CMAKE_CURRENT_LIST_DIR}/golden/${case}")
endforeach()
forge_python_test(golden.planted golden/golden_test.py ${tool} --planted)

# ---- cli: the command line as scripts meet it ----
forge_python_test(cli.exit_status e2e/exit_status_test.py ${tool})
forge_python_test(cli.streams e2e/streams_test.py ${tool})
forge_python_test(cli.canary e2e/canary_test.py ${tool} Canary Written)
forge_python_test(cli.canary_misplaced e2e/canary_test.py ${tool} Misplaced)
forge_python_test(cli.vectors_out e2e/vectors_out_test.py ${tool})
forge_python_test(cli.same_bytes e2e/same_bytes_test.py ${tool})
forge_python_test(cli.tampering e2e/tampering_test.py ${tool})
forge_python_test(cli.facts e2e/facts_test.py ${tool})
forge_python_test(cli.hostile_input e2e/hostile_input_test.py ${tool} Hostile)
forge_python_test(cli.plans_are_text e2e/hostile_input_test.py ${tool} PlansAreText)
forge_python_test(cli.marks e2e/marks_test.py ${tool})

# ---- git: layouts of a repository, and what git can do with the mounts of a plan ----
forge_python_test(cli.git_layouts e2e/git_layouts_test.py ${tool})
foreach(checkout linked plain)
  foreach(layout compatible split)
    set(arguments ${tool} --checkout ${checkout} --layout ${layout})
    forge_python_test(kernel.git_${checkout}_${layout} kernel/git_commands_test.py ${arguments})
    forge_python_test(kernel.git_${checkout}_${layout}_stripped kernel/git_commands_test.py ${arguments} --stripped)
  endforeach()
endforeach()
