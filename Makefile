# The short commands. Each prints what it does; CMakePresets.json has the builds behind them.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

# Tests on the paper's datasets run where these are, and are skipped elsewhere.
export BISECTOR_DATA ?= $(abspath $(wildcard ../shared/data))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build demo test sanitize tsan fuzz coverage soak faults judge python integration spark format bench bench-peers install clean

# Configures and builds the preset $(1).
define build_preset
@echo "== building ($(1)): $(2)"
@cmake --preset $(1) --log-level=WARNING
@cmake --build --preset $(1) --parallel $(JOBS)
endef

# Targets $(2) of the preset $(1), which has more.
define build_targets
@cmake --preset $(1) --log-level=WARNING
@cmake --build --preset $(1) --parallel $(JOBS) --target $(2)
endef

define run_tests
@echo "== testing ($(1)): $(2)"
@ctest --preset $(1) --parallel $(JOBS)
endef

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

build: ## build the command, build/bisector
	@scripts/install-packages build web
	$(call build_preset,release,the command into build/)

demo: build ## build, then train, explain and write a report into demo/
	@echo "== running the demo: build/bisector demo -o demo"
	@build/bisector demo -o demo

test: ## build with warnings as errors, run all tests and checks
	@scripts/install-packages build web test python spark
	@echo "== installing the Python environments beside the build (build-python/environments.log)"
	@mkdir -p build-python; scripts/python-environments >build-python/environments.log 2>&1 &
	@echo "== checking the format"
	@scripts/check-format
	@echo "== fetching what the tests of the report's page need"
	@cd web/tests; [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --loglevel=error
	$(call build_preset,dev,library and tests with warnings as errors into build-dev/)
	$(call run_tests,dev,every test with the include directions and a project that uses the library)
	@$(MAKE) --no-print-directory python
	@$(MAKE) --no-print-directory integration
	@$(MAKE) --no-print-directory spark

sanitize: ## build and run the unit tests under the address and undefined-behaviour sanitizers
	@scripts/install-packages build test
	$(call build_preset,asan,unit tests with address and undefined-behaviour checks into build-asan/)
	$(call run_tests,asan,the unit tests under the sanitizers)

coverage: ## count the lines of src/ that the tests run, into docs/results/coverage.md
	@scripts/install-packages build web test coverage
	$(call build_preset,coverage,library and tests that count lines into build-coverage/)
	@find build-coverage -name '*.gcda' -delete
	$(call run_tests,coverage,every test but those that counters disturb: full disks and a project without them)
	@echo "== counting"
	@gcovr --root . --filter src/ --json build-coverage/lines.json build-coverage
	@scripts/write-coverage build-coverage/lines.json docs/results/coverage.md

tsan: ## share objects between threads under the thread sanitizer
	@scripts/install-packages build test
	$(call build_preset,tsan,the library and the test of its threads into build-tsan/)
	$(call run_tests,tsan,threads that share objects)

soak: ## mixed calls from several threads for 20 minutes (SECONDS=n: for so long), into docs/results
	@scripts/install-packages build web test
	@echo "== building (dev): the soak"
	$(call build_targets,dev,bisector-soak)
	@echo "== running for $(or $(SECONDS),1200) seconds"
	@build-dev/bisector-soak $(or $(SECONDS),1200) docs/results/soak.md

faults: ## disturb each command a hundred times at seeded moments, into docs/results
	@scripts/install-packages build web test
	@echo "== building (dev): the commands"
	$(call build_targets,dev,bisector_cli bisector-paper)
	@echo "== disturbing the commands (about ten minutes)"
	@python3 tests/faults/run.py build-dev/bisector build-dev/bisector-paper \
	  --result docs/results/faults.md

judge: ## hold g and relevance against 2048 bits on adversarial models, into docs/results
	@scripts/install-packages build web test
	@echo "== building (dev): the judge"
	$(call build_targets,dev,bisector-judge)
	@echo "== judging"
	@build-dev/bisector-judge 100 docs/results/judge.md

fuzz: ## run every fuzzer for SECONDS (60) each, or for RUNS executions; FUZZERS="csv onnx" runs only these
	@scripts/install-packages build fuzz
	$(call build_preset,fuzz,the fuzzers under the address and undefined-behaviour sanitizers into build-fuzz/)
	@scripts/run-fuzzers $(or $(SECONDS),60) $(FUZZERS)

python: ## build the Python package and test it in virtual environments under build-python/
	@scripts/install-packages build python
	@echo "== building (dev): the library and the command into build-dev/"
	$(call build_targets,dev,bisector bisector_cli)
	@scripts/test-python

integration: ## test the Python package with ONNX, Parquet and Dask, and build its documentation
	@scripts/test-integration

spark: ## test the Python package on a local Spark
	@scripts/install-packages spark
	@scripts/test-integration spark

format: ## rewrite the C++ sources in the project's format
	@scripts/check-format --fix

bench: ## build and run the benchmarks
	@scripts/install-packages build bench
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== running the benchmarks"
	@build-bench/bisector-bench

bench-peers: ## measure bisector beside scikit-learn, LIBSVM, FAISS, shap and shapiq (about ten minutes)
	@scripts/install-packages build bench python
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== installing the peers and the Python package into build-bench/peers-venv"
	@test -x build-bench/peers-venv/bin/python || python3 -m venv build-bench/peers-venv
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements-optional.txt \
	  || echo "going on without scikit-learn-intelex"
	@scripts/build-wheel build-bench $(CURDIR)/build-bench/peers-venv $(CURDIR)/build-bench/python
	@build-bench/peers-venv/bin/pip install --quiet --no-deps --force-reinstall build-bench/python/wheels/*.whl
	@build-bench/peers-venv/bin/python -W ignore bench/peers/run.py build-bench/bisector-timing build-bench/peers docs/results
	@echo "== comparing with the last release that was kept: bench/compare"
	@bench/compare "$$(ls -v bench/results/*.csv | tail -n 1)" docs/results/speed.csv || true

install: build ## install library, headers and command under PREFIX (/usr/local)
	@echo "== installing under $(PREFIX)"
	@cmake --install build --prefix "$(PREFIX)"

clean: ## remove everything that was built
	@echo "== removing build/, build-*/ and demo/"
	@rm -rf build build-*/ demo
