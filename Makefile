# Everything a reader or a builder runs. `play`, `serve` and `test` set up what they need, once.
#
#   make play     a whole story in the terminal; it plays by itself where there is no terminal
#   make serve    the HTTP API on ./storyworld-data (SERVE_OPTIONS="--port 9000")
#   make test     every test, two at a time (JOBS=4 for more)
#   make check    format, lint, types, import contracts, tests, coverage of the core
#   make bench    how fast it is here, against its gates (BENCH_OPTIONS="--quick --only beat")
#   make docs     write the generated documents anew
#   make lock     write the lock files anew from pyproject.toml
#
# PYTHON names the interpreter (3.11 or newer), VENV the folder of the environment.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

VENV ?= .venv
JOBS ?= 2
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_TO_TEST := $(VENV)/.ready-to-test
CORE := src/storyworld/core/*

.PHONY: setup play serve test check lint coverage bench docs lock

setup: $(READY)

play: $(READY)
	@$(BIN)/storyworld play $(PLAY_OPTIONS)

serve: $(READY)
	@$(BIN)/storyworld serve $(SERVE_OPTIONS)

test: $(READY_TO_TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) $(TEST_OPTIONS)

check: lint
	@$(MAKE) test TEST_OPTIONS="--cov --cov-report= $(TEST_OPTIONS)"
	@$(MAKE) coverage

# What needs no test to run, fastest first.
lint: $(READY_TO_TEST)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy

# Reads what the last run with --cov has measured: every branch of the core must have been taken.
coverage: $(READY_TO_TEST)
	@$(BIN)/coverage report --include='$(CORE)' --fail-under=100

bench: $(READY_TO_TEST)
	@$(BIN)/python -m bench $(BENCH_OPTIONS)

docs: $(READY_TO_TEST)
	@$(BIN)/python -m tools.generate_docs

lock:
	@command -v uv >/dev/null || { echo "make lock needs uv on the path: pip install uv"; exit 2; }
	@LOCK="uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url"; \
	$$LOCK pyproject.toml --group build -o requirements.lock; \
	$$LOCK pyproject.toml --extra pdf --group build --group dev -c requirements.lock -o requirements-dev.lock

$(READY): requirements.lock pyproject.toml tools/setup.sh
	@VENV=$(VENV) PYTHON=$(PYTHON) tools/setup.sh requirements.lock
	@touch $@

$(READY_TO_TEST): requirements-dev.lock pyproject.toml tools/setup.sh $(READY)
	@VENV=$(VENV) PYTHON=$(PYTHON) tools/setup.sh requirements-dev.lock
	@touch $@
