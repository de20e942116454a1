# The words of daily work. Needs python3 (3.10 or newer) with pip; everything else goes to .venv/.
#
#   make check-sample   set up, then check the sample submission
#   make test           set up, then run the tests        (ARGS="-k regions" narrows them)
#   make lint           style, types, imports, drift of generated files
#   make generate       write generated files anew
#   make site           the documentation as a site, in site/
#   make                what CI does: lint and test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
ARGS ?=
RULESETS := $(wildcard rules/*)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all check-sample test generate site format clean lint lint-code lint-format lint-types lint-imports lint-rules lint-generated

all: lint test

check-sample: $(VENV)/.ready
	@$(BIN)/submission-checker check fixtures/submissions/compliant-2026-11

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n 2 $(ARGS)

# One target a step, so that `make -k lint` shows everything that is wrong and not only the first.
lint: lint-code lint-format lint-types lint-imports lint-rules lint-generated

lint-code: $(VENV)/.ready-dev
	$(BIN)/ruff check .

lint-format: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .

lint-types: $(VENV)/.ready-dev
	$(BIN)/mypy

lint-imports: $(VENV)/.ready-dev
	$(BIN)/lint-imports --no-logo

lint-rules: $(VENV)/.ready-dev
	$(BIN)/submission-checker rules fmt --check $(RULESETS)
	@set -e; for ruleset in $(notdir $(RULESETS)); do $(BIN)/submission-checker rules lint --ruleset $$ruleset; done

lint-generated: $(VENV)/.ready-dev
	$(BIN)/python tools/readme.py --check
	$(BIN)/submission-checker docs check

# Everything that is generated; lint-generated says when it is out of date.
generate: $(VENV)/.ready-dev
	$(BIN)/python tools/readme.py
	$(BIN)/submission-checker docs build

# The documentation as a site, to be opened from the disk.
site: $(VENV)/.ready-dev
	$(BIN)/submission-checker docs build --site site

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/submission-checker rules fmt $(RULESETS)

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else "Python 3.10 or newer is needed, and $(PYTHON) is %s; name another: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@$(PYTHON) -m venv $(VENV)
	@# An editable install of a pyproject.toml needs pip 21.3, which the oldest Python 3.10 does not bring.
	@$(PIP) install --upgrade pip

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml | $(BIN)/python
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.ready
