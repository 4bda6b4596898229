# The short commands. Each prints what it does; CMakePresets.json has the builds behind them.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# PACKAGES=no installs no system packages: what scripts/packages.txt lists has to be there.
PACKAGES ?= yes
export PACKAGES

# Tests on the paper's datasets run where these are, and are skipped elsewhere.
export BISECTOR_DATA ?= $(abspath $(wildcard ../shared/data))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help packages build demo test alone sanitize tsan fuzz coverage soak faults oracle python integration spark docs format bench bench-peers bench-kinds install wheel deb clean

# What the groups $(1) of scripts/packages.txt lack: `make packages GROUPS="build web"`.
packages = @scripts/step "packages ($(1))" $(MAKE) --no-print-directory packages GROUPS="$(1)"

# Configures and builds the preset $(1), or the targets $(3) of it.
define build_preset
@scripts/step "building ($(1)): $(2)" scripts/build-preset $(1) $(JOBS) $(3)
endef

define run_tests
@scripts/step "testing ($(1)): $(2)" ctest --preset $(1) --parallel $(JOBS)
endef

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

packages: ## install what is missing of GROUPS (all) of scripts/packages.txt; PACKAGES=no switches this off everywhere
	@if [ "$(PACKAGES)" = no ]; then echo "PACKAGES=no: nothing is installed"; else scripts/install-packages $(GROUPS); fi

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

# The tests of NumPy's files run NumPy itself.
test: export BISECTOR_TEST_PYTHON = $(CURDIR)/build-python/newest/bin/python
test: ## build with warnings as errors, run all tests and checks
	@scripts/step begin
	$(call packages,build web test python spark)
	@echo "== installing the Python environments beside the build (build-python/environments.log)"
	@mkdir -p build-python; scripts/python-environments >build-python/environments.log 2>&1 &
	@scripts/step "checking the format" scripts/check-format
	@scripts/step "fetching what the tests of the report's page need" scripts/fetch-page-tests
	@scripts/step "compiling every source alone: each includes what it uses" $(MAKE) --no-print-directory alone
	@scripts/step "fetching Apache Arrow for the tests of Parquet files" scripts/fetch-arrow
	$(call build_preset,dev,library and tests with warnings as errors into build-dev/)
	@scripts/step "waiting for the Python environments" scripts/python-environments
	$(call run_tests,dev,every test with the include directions and a project that uses the library)
	@$(MAKE) --no-print-directory python-tests integration-tests spark-tests
	@scripts/step end
	@scripts/skipped-tests build-dev/Testing/Temporary/LastTest.log build-python/*-tests.xml

alone: ## compile every source by itself: each includes what it uses
	@cmake --preset alone --log-level=WARNING >/dev/null
	@scripts/compile-alone build-alone $(JOBS)

sanitize: ## build and run the unit tests under the address and undefined-behavior sanitizers
	$(call packages,build test)
	$(call build_preset,asan,unit tests with address and undefined-behavior checks into build-asan/)
	$(call run_tests,asan,the unit tests under the sanitizers)

coverage: ## count the lines of src/ that the tests run, into docs/results/coverage.md
	$(call packages,build web test coverage)
	$(call build_preset,coverage,library and tests that count lines into build-coverage/)
	@find build-coverage -name '*.gcda' -delete
	$(call run_tests,coverage,every test but those that counters disturb: full disks and a project without them)
	@echo "== counting"
	@gcovr --root . --filter src/ --json build-coverage/lines.json build-coverage
	@scripts/write-coverage build-coverage/lines.json docs/results/coverage.md

tsan: ## share objects between threads under the thread sanitizer
	$(call packages,build test)
	$(call build_preset,tsan,the library and the test of its threads into build-tsan/)
	$(call run_tests,tsan,threads that share objects)

soak: ## mixed calls from several threads for 20 minutes (SECONDS=n: for so long), into docs/results
	$(call packages,build web test)
	$(call build_preset,dev,the soak,bisector-soak)
	@echo "== running for $(or $(SECONDS),1200) seconds"
	@build-dev/bisector-soak $(or $(SECONDS),1200) docs/results/soak.md

faults: ## disturb each command a hundred times at seeded moments, into docs/results
	$(call packages,build web test)
	$(call build_preset,dev,the commands,bisector_cli bisector-paper)
	@echo "== disturbing the commands (about ten minutes)"
	@python3 tests/faults/run.py build-dev/bisector build-dev/bisector-paper \
	  --result docs/results/faults.md

oracle: ## hold g and relevance against 2048 bits on adversarial models, into docs/results
	$(call packages,build web test)
	$(call build_preset,dev,the oracle,bisector-oracle)
	@echo "== judging"
	@build-dev/bisector-oracle 100 docs/results/oracle.md

fuzz: ## run every fuzzer for SECONDS (60) each, or for RUNS executions; FUZZERS="csv onnx" runs only these
	$(call packages,build fuzz)
	$(call build_preset,fuzz,the fuzzers under the address and undefined-behavior sanitizers into build-fuzz/)
	@scripts/run-fuzzers $(or $(SECONDS),60) $(FUZZERS)

python: ## build the Python package and test it in virtual environments under build-python/
	$(call packages,build web python)
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@$(MAKE) --no-print-directory python-tests

integration: integration-tests ## test the Python package with ONNX, Parquet and Dask, and build its documentation

spark: ## test the Python package on a local Spark
	$(call packages,spark)
	@$(MAKE) --no-print-directory spark-tests

.PHONY: python-tests integration-tests spark-tests
python-tests:
	@scripts/step "the Python package: wheel, types and tests" scripts/test-python
integration-tests:
	@scripts/step "the Python package with ONNX, Parquet, Dask and Sphinx" scripts/test-integration
spark-tests:
	@scripts/step "the Python package on Spark" scripts/test-integration spark

docs: ## write the guide, the results and the references as pages that open offline, into build-docs/
	$(call packages,build web python docs)
	$(call build_preset,dev,the library and the command into build-dev/,bisector_cli)
	@scripts/step "installing the Python package for the pages" scripts/install-python newest
	@scripts/step "writing build-docs/index.html" scripts/build-docs build-python/newest build-docs

format: ## rewrite the C++ sources in the project's format
	@scripts/check-format --fix

bench: ## build and run the benchmarks
	$(call packages,build bench)
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== running the benchmarks"
	@build-bench/bisector-bench
	@echo "== memory of models that are ready to explain"
	@build-bench/bisector-memory
	@echo "== few rows on all threads"
	@build-bench/bisector-small-batches
	@echo "== the rules beside each other"
	@build-bench/bisector-rules
	@echo "== other kernels, distances and votes"
	@build-bench/bisector-kernels

bench-peers: ## measure bisector beside scikit-learn, LIBSVM, FAISS, shap and shapiq (about a quarter of an hour)
	$(call packages,build bench python)
	$(call build_preset,bench,the benchmarks into build-bench/)
	@echo "== installing the peers and the Python package into build-bench/peers-venv"
	@test -x build-bench/peers-venv/bin/python || python3 -m venv build-bench/peers-venv
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	@build-bench/peers-venv/bin/pip install --quiet --disable-pip-version-check -r bench/peers/requirements-optional.txt \
	  || echo "going on without scikit-learn-intelex"
	@scripts/build-wheel build-bench $(CURDIR)/build-bench/peers-venv $(CURDIR)/build-bench/python
	@build-bench/peers-venv/bin/pip install --quiet --no-deps --force-reinstall build-bench/python/wheels/*.whl
	@build-bench/peers-venv/bin/python -W ignore bench/peers/run.py build-bench/bisector-timing build-bench/peers docs/results
	@echo "== cost beside faithfulness"
	@build-bench/peers-venv/bin/python -W ignore bench/peers/frontier.py docs/results
	@echo "== comparing with the last release that was kept: bench/compare"
	@bench/compare "$$(ls -v bench/results/*.csv | tail -n 1)" docs/results/speed.csv || true

bench-kinds: ## measure how faithful explanations of the rarer kinds of models are, beside KernelSHAP (a quarter of an hour)
	@scripts/install-python newest
	@build-python/newest/bin/python -W ignore bench/peers/kinds.py docs/results

install: build ## install library, headers and command under PREFIX (/usr/local)
	@echo "== installing under $(PREFIX)"
	@cmake --install build --prefix "$(PREFIX)"

wheel: ## build the wheel that is released, with the command, into build-wheel/ (a tag by auditwheel), and the source package
	$(call packages,build web python)
	$(call build_preset,release,the pages of the command,bisector_page)
	@scripts/release-wheel build/web/page_parts.cpp build-wheel

deb: ## build the Debian packages into build-deb/, and have lintian look at them
	$(call packages,build deb)
	@scripts/build-deb build-deb

clean: ## remove everything that was built
	@echo "== removing build/, build-*/ and demo/"
	@rm -rf build build-*/ demo
