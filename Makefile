# Short commands. Each one prints what it does. The builds are defined in CMakePresets.json.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# With PACKAGES=no, no system packages are installed; those of scripts/packages.txt must be present.
PACKAGES ?= yes
export PACKAGES

# Tests on the paper's datasets need this folder. They are skipped if it does not exist.
export BISECTOR_DATA ?= $(abspath $(wildcard ../shared/data))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help packages build demo test alone extending sanitize tsan fuzz coverage soak faults oracle python integration spark torch docs format bench bench-peers defaults install wheel pip deb clean

# Installs the missing packages of the groups $(1): `make packages GROUPS="build web"`.
packages = @scripts/step "packages ($(1))" $(MAKE) --no-print-directory packages GROUPS="$(1)"

# Configures the preset $(1) and builds it, or only its targets $(3).
define build_preset
@scripts/step "building ($(1)): $(2)" scripts/build-preset $(1) $(JOBS) $(3)
endef

define run_tests
@scripts/step "testing ($(1)): $(2)" ctest --preset $(1) --parallel $(JOBS)
endef

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

packages: ## install missing Debian packages of GROUPS (default: all); PACKAGES=no disables this
	@if [ "$(PACKAGES)" = no ]; then echo "PACKAGES=no: no packages are installed"; else scripts/install-packages $(GROUPS); fi

build: ## build the commands, build/bisector and build/bisector-paper
	@scripts/step begin
	$(call packages,build web)
	$(call build_preset,release,the commands into build/)

demo: ## build the command, then train, explain and write a report into demo/
	@scripts/step begin
	$(call packages,build web)
	$(call build_preset,release,the command into build/,bisector_cli)
	@scripts/step "running the demo: build/bisector demo -o demo" build/bisector demo -o demo
	@scripts/step end

# Tests of NumPy files run NumPy itself.
test: export BISECTOR_TEST_PYTHON = $(CURDIR)/build-python/newest/bin/python
test: ## build with warnings as errors, run all tests and checks
	@scripts/step begin
	$(call packages,build web test python)
	@echo "== installing Java, torch and the Python environments beside the build (build-python/environments.log)"
	@mkdir -p build-python; scripts/python-environments spark torch >build-python/environments.log 2>&1 &
	@scripts/step "checking the format" scripts/check-format
	@scripts/step "installing the npm packages of the page tests" node web/install.mjs --tests
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@scripts/step "waiting for the Python environments" scripts/python-environments spark torch
	@echo "== testing the Python package beside the C++ tests (build-steps/python.log)"
	@scripts/side-by-side "$(MAKE) --no-print-directory cpp-tests" \
	  python "$(MAKE) --no-print-directory python-tests integration-tests"
	@scripts/step end
	@scripts/skipped-tests build-dev/Testing/Temporary/LastTest.log build-python/*-tests.xml

alone: ## compile every source and public header on its own, to find missing includes (nightly)
	$(call packages,build web)
	@cmake --preset alone --log-level=WARNING >/dev/null
	@scripts/compile-alone build-alone $(JOBS)
	@echo "== building the core without the libraries that only others need"
	@cmake -DSOURCE_DIR=$(CURDIR) -DWORK_DIR=$(CURDIR)/build-alone/core_alone -DGENERATOR=Ninja \
	  -DCXX=$(or $(shell command -v $(CXX)),c++) -P tests/architecture/core_alone.cmake

extending: ## build and test the patches of docs/extending.md (nightly)
	$(call packages,build test)
	@python3 tests/extending/check.py . --build

sanitize: ## build and run the unit tests with address and undefined-behavior sanitizers
	$(call packages,build test)
	$(call build_preset,asan,unit tests with address and undefined-behavior checks into build-asan/)
	$(call run_tests,asan,the unit tests under the sanitizers)

coverage: ## measure line coverage of src/ and write docs/results/coverage.md
	$(call packages,build web test coverage)
	$(call build_preset,coverage,library and tests that count lines into build-coverage/)
	@find build-coverage -name '*.gcda' -delete
	$(call run_tests,coverage,all tests except those that coverage counters disturb)
	@echo "== counting"
	@gcovr --root . --filter src/ --json build-coverage/lines.json build-coverage
	@scripts/write-coverage build-coverage/lines.json docs/results/coverage.md

tsan: ## run the thread tests with the thread sanitizer
	$(call packages,build test)
	$(call build_preset,tsan,the library and the thread tests into build-tsan/)
	$(call run_tests,tsan,objects shared between threads)

soak: ## run mixed calls from several threads for SECONDS (1200) and write docs/results/soak.md
	$(call packages,build web test)
	$(call build_preset,dev,the soak,bisector-soak)
	@echo "== running for $(or $(SECONDS),1200) seconds"
	@build-dev/bisector-soak $(or $(SECONDS),1200) docs/results/soak.md

faults: ## inject a hundred faults into each command and write docs/results/faults.md
	$(call packages,build web test)
	$(call build_preset,dev,the commands,bisector_cli bisector-paper)
	@echo "== injecting faults (about ten minutes)"
	@python3 tests/faults/run.py build-dev/bisector build-dev/bisector-paper \
	  --result docs/results/faults.md

oracle: ## compare g and relevance with 2048-bit arithmetic and write docs/results/oracle.md
	$(call packages,build web test)
	$(call build_preset,dev,the oracle,bisector-oracle)
	@echo "== comparing with 2048-bit arithmetic"
	@build-dev/bisector-oracle 100 docs/results/oracle.md

fuzz: ## run each fuzzer for SECONDS (60) or RUNS executions; FUZZERS="csv npz" selects some
	$(call packages,build fuzz)
	$(call build_preset,fuzz,the fuzzers with sanitizers into build-fuzz/)
	@scripts/run-fuzzers $(or $(SECONDS),60) $(FUZZERS)

python: ## build the Python package and test it in virtual environments below build-python/
	$(call packages,build web python)
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@$(MAKE) --no-print-directory python-tests

integration: ## test the Python package with ONNX, Parquet and Dask; build the docs
	@scripts/test-integration packages docs

spark: ## test the Python package on a local Spark
	$(call packages,spark)
	@scripts/test-integration spark

torch: ## test the Python package with torch, captum and zennit
	$(call packages,torch)
	@scripts/test-integration torch

# The two sides of `make test`. They run side by side, because neither of them keeps all cores busy.
.PHONY: cpp-tests python-tests integration-tests
cpp-tests:
	$(call build_preset,dev,tests with warnings as errors into build-dev/)
	$(call run_tests,dev,all tests of C++ code and pages and the checks of the architecture)

python-tests:
	@scripts/step "the Python package: wheel, types and tests" scripts/test-python

integration-tests:
	@scripts/step "the Python package with ONNX, Parquet, Dask, torch, Spark and Sphinx" \
	  scripts/test-integration torch docs packages spark

docs: ## build the documentation site into build-docs/ (its pages open offline)
	$(call packages,build web python docs)
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@scripts/step "installing the Python package for the documentation" scripts/install-python newest
	@scripts/step "building build-docs/index.html" scripts/build-docs build-python/newest build-docs

format: ## format the C++ sources
	@scripts/check-format --fix

bench: ## build and run the benchmarks
	$(call packages,build bench)
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== running the benchmarks"
	@build-bench/bisector-bench
	@echo "== memory per stored number"
	@build-bench/bisector-memory
	@echo "== small batches on all threads"
	@build-bench/bisector-small-batches
	@echo "== comparison of the rules"
	@build-bench/bisector-rules
	@echo "== other kernels, distances and votes"
	@build-bench/bisector-kernels
	@echo "== searches of neighbors beside a matrix product"
	@build-bench/bisector-search-rates

bench-peers: ## compare with scikit-learn, LIBSVM, FAISS, shap, shapiq and DiCE (20 minutes)
	$(call packages,build bench python)
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== installing the peers and the Python package into build-bench/peers-venv"
	@test -x build-bench/peers-venv/bin/python || \
	  $$(python3.12 -V >/dev/null 2>&1 && echo python3.12 || echo python3) -m venv build-bench/peers-venv  # newest shap
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements-optional.txt \
	  || echo "continuing without scikit-learn-intelex"
	@scripts/build-wheel build-bench $(CURDIR)/build-bench/peers-venv $(CURDIR)/build-bench/python
	@build-bench/peers-venv/bin/pip install --quiet --no-deps --force-reinstall build-bench/python/wheels/*.whl
	@build-bench/peers-venv/bin/python -W ignore bench/peers/run.py build-bench/bisector-timing build-bench/peers docs/results
	@echo "== flips against DiCE"
	@test -x build-bench/flips-venv/bin/python || python3 -m venv build-bench/flips-venv
	@build-bench/flips-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements-flips.txt
	@scripts/build-wheel build-bench $(CURDIR)/build-bench/flips-venv $(CURDIR)/build-bench/flips
	@build-bench/flips-venv/bin/pip install --quiet --no-deps --force-reinstall build-bench/flips/wheels/*.whl
	@build-bench/flips-venv/bin/python -W ignore bench/peers/flips.py docs/results
	@echo "== comparing with the last recorded release (bench/compare)"
	@bench/compare "$$(ls -v bench/results/*.csv | tail -n 1)" docs/results/speed.csv || true

defaults: ## measure what the default methods are and cost, and write docs/results/defaults.csv (20 minutes)
	$(call packages,build web python)
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@scripts/install-python newest
	@build-python/newest/bin/python paper/defaults.py -o docs/results/defaults.csv

install: build ## install the library, headers and command below PREFIX (/usr/local)
	@echo "== installing below $(PREFIX)"
	@cmake --install build --prefix "$(PREFIX)"

wheel: ## build the release wheel and the source package into build-wheel/
	$(call packages,build web python)
	$(call build_preset,release,the pages of the command,bisector_page)
	@scripts/release-wheel build/web/page_parts.cpp build-wheel

pip: ## run `pip install .` in an empty environment and explain a row (nightly)
	$(call packages,build python)
	@echo "== building the package from its sources (some minutes)"
	@python3 tests/packaging/check_wheel.py .

deb: ## build the Debian packages into build-deb/ and check them with lintian
	$(call packages,build deb)
	@scripts/build-deb build-deb

clean: ## remove all build folders
	@echo "== removing build/, build-*/ and demo/"
	@rm -rf build build-*/ demo
