# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
#
# sextant_library(NAME DEPS folder... [LIBS lib...])
#                                       one static library for the folder it is called in: every *.cpp but tests;
#                                       DEPS are folders of ours, LIBS are others' libraries
# sextant_declares(NAME DEPS folder...) the same for a folder that builds its target in another way: nothing but the DEPS
# sextant_unit_tests(NAME)              every *_test.cpp of the folder as one GoogleTest program, `unit_NAME` in ctest
# tools/check_layers.py reads the DEPS of both and refuses an include that they do not allow.

find_package(Threads REQUIRED)
find_library(SEXTANT_ZSTD NAMES libzstd.a zstd REQUIRED)
find_library(SEXTANT_XXHASH NAMES libxxhash.a xxhash REQUIRED)
find_library(SEXTANT_SQLITE NAMES libsqlite3.a sqlite3 REQUIRED)
find_package(GTest REQUIRED)

add_library(sextant_options INTERFACE)
target_include_directories(sextant_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_options(sextant_options INTERFACE -Wall -Wextra -Werror -Wshadow -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees dangling and overflow where there is none in inlined std::string and vector code
  target_compile_options(sextant_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-maybe-uninitialized)
endif()
if(SEXTANT_SANITIZE)
  target_compile_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE})
endif()
if(SEXTANT_COVERAGE)
  # atomic: threads that count at once would leave counts that gcovr takes for damage
  target_compile_options(sextant_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(sextant_options INTERFACE --coverage)
endif()
if(SEXTANT_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy-16 --extra-arg=-Wno-unknown-warning-option)
endif()

function(sextant_library name)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$")
  if(sources)
    add_library(sextant_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(sextant_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(sextant_${name} ${scope} sextant_options ${ARG_LIBS})
  foreach(dep ${ARG_DEPS})
    target_link_libraries(sextant_${name} ${scope} sextant_${dep})
  endforeach()
  sextant_unit_tests(${name})
endfunction()

function(sextant_declares)
endfunction()

function(sextant_unit_tests name)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  if(NOT tests)
    return()
  endif()
  add_executable(unit_${name} ${tests})
  target_link_libraries(unit_${name} PRIVATE sextant_${name} GTest::gtest GTest::gtest_main Threads::Threads)
  add_test(NAME unit_${name} COMMAND unit_${name})
  set_tests_properties(unit_${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
