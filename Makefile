# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
#
# Front door for people; the work is done by CMake presets and the scripts in tools/. `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup build demo smoke test test-full bench bench-full format install clean

PREFIX ?= /usr/local
PROGRAM := sextant sextant_agent sextant_agent_osrt sextant_probe sextant_sqlite

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## install missing Debian packages (asks for sudo only if some are missing)
	@tools/setup build

build: setup ## build/release/bin/sextant and build/release/lib/libsextant-agent.so
	@tools/build release $(PROGRAM)

demo: setup ## record the example program, print summaries, say where the report is
	@tools/build release $(PROGRAM) pipeline
	@examples/demo

smoke: setup ## less than two minutes: build what is stale, record, read, verify
	@tools/build release $(PROGRAM) pipeline
	@tests/smoke/smoke --bin build/release

test: ## everything that needs no GPU, in 20 minutes on 2 cores
	@tools/setup build test
	@tools/run_tests

test-full: ## test, then what takes longer: fuzzing, coverage, clang-tidy, aarch64
	@tools/setup build test full
	@tools/run_tests --full

bench: setup ## the tables of bench/README.md; beside nsys where NSYS is set
	@tools/build release $(PROGRAM) nvtx_loop nsys_data
	@bench/run

bench-full: setup ## the same with the long growth series
	@tools/build release $(PROGRAM) nvtx_loop nsys_data
	@bench/run --full

format: ## clang-format every source file in place
	@tools/setup test
	@tools/check_format --fix

install: build ## install under PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove build/
	rm -rf build
