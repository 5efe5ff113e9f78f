# make demo · make test · make check · make bench · make fuzz set up what they need in .venv
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# How long `make fuzz` searches for each of its targets
SECONDS ?= 150
# The agents' clients that the tests of tests/clients drive
CLIENT_PACKAGES := @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0
CLIENTS := .clients/made-$(subst /,-,$(subst $() ,-,$(CLIENT_PACKAGES)))
# A person's own memory and an agent's client must not reach into what runs here
CLEAN := env -u TRINHO_MEMORY_ROOT -u ALP_MEMORY_ROOT -u TRINHO_ACTOR -u TRINHO_PROJECT -u TRINHO_CONFIG

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types architecture clients bench bench-rivals fuzz clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ —/'

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Trinho needs Python 3.11 or newer: make PYTHON=python3.12 …' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { echo 'this Python has no venv: install it (Debian: apt-get install python3-venv)' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/runs: $(VENV)/made pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(VENV)/checks: $(VENV)/made pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/runs

$(VENV)/fuzzes: $(VENV)/checks
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[fuzz]'
	@touch $@

demo: $(VENV)/runs ## the main job, in a root of its own that is removed afterwards
	@$(CLEAN) PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/checks ## the tests
	$(CLEAN) $(BIN)/python -m pytest -n 2

lint: $(VENV)/checks
	$(BIN)/ruff check src tests benchmarks fuzz
	$(BIN)/ruff format --check src tests benchmarks fuzz

types: $(VENV)/checks
	$(BIN)/mypy

architecture: $(VENV)/checks
	$(BIN)/lint-imports

check: lint types architecture test ## lint, types, architecture and tests

# Nothing is run while installing: the clients are programs of their own, whatever Node.js says of its version
$(CLIENTS):
	@command -v npm >/dev/null || { echo 'npm is missing: install it (Debian: apt-get install npm)' >&2; exit 1; }
	rm -rf .clients
	npm install --prefix .clients --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
	  --loglevel error $(CLIENT_PACKAGES)
	@touch $@

clients: $(CLIENTS) ## the agents' clients that some tests need, 800 MB

bench: $(VENV)/checks ## the table of goals
	$(CLEAN) $(BIN)/python -m benchmarks

bench-rivals: $(VENV)/checks ## other memories on the same questions, installed apart
	$(CLEAN) $(BIN)/python -m benchmarks.rivals

fuzz: $(VENV)/fuzzes ## a search for bytes that break a law: SECONDS for each target
	$(CLEAN) $(BIN)/python -m fuzz --seconds $(SECONDS)

clean: ## remove what was made
	rm -rf $(VENV) .clients benchmarks/.rivals .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
