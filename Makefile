# Every target does its own set-up: a virtual environment in .venv, made again when the requirements change.
PYTHON ?= python3.11
PORT ?= 8000
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py

# How many processes run the tests: a number, or auto for one a core.
PYTEST_WORKERS ?= auto
PYTEST := $(BIN)/pytest -n $(PYTEST_WORKERS)
# What make test leaves to make test-rest, but for what is marked smoke.
LATER := browser or worker or faults or journey or slow or later or rotates or each_landing
# Of the tests that rotate a landing runs a quarter: 0 to 3, or auto for the one whose turn it is.
QUARTER ?= auto

# Without byte code every process of the tests, and every server they start, would compile all of it again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup lock demo run test test-landing test-rest test-all test-browser test-faults steady attack chromium check types contracts fix bench bench-load screenshots clean

help:
	@echo "make demo    four studies on the demonstration data, then the pages on http://127.0.0.1:8000"
	@echo "make run     the web server and a worker, on http://127.0.0.1:8000 (another port: make run PORT=8001)"
	@echo "make test    the test suite, but for what make test-rest runs"
	@echo "make test-landing   what .ci/run runs without servers: of the expensive tests a quarter, all others"
	@echo "make test-rest   the browser, worker, fault, journey and slow tests, and 100 examples of each property"
	@echo "make test-all   every test once"
	@echo "make test-browser   the tests that drive pages in Chromium"
	@echo "make test-faults   what is killed, restarted, full or backed up while people judge, ten times each"
	@echo "make steady  the tests that your change touches, three times beside two busy loops"
	@echo "make attack  a started installation under attack, on SQLite and PostgreSQL: what was tried, what broke"
	@echo "make check   format, lint, types, import contracts, migrations"
	@echo "make bench   how often intervals contain the true value in simulated data: three minutes"
	@echo "make bench-load   the desk under load, on SQLite and PostgreSQL: ten minutes"
	@echo "make lock    the hashes of what is installed, after a change of the requirements"
	@echo "make screenshots   pictures of the main pages, into docs/screenshots"

PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
TORCH := $(shell grep -o '^torch==[^ ]*' requirements.txt)

setup: .venv/.installed

# Unpacked side by side first, all but torch by their hashes (deploy/lock.py), then pip adds what a machine needs
# besides: for a graphics card, say.
LOCKS := requirements.lock requirements-s3.lock requirements-dev.lock
.venv/.installed: requirements.txt requirements-s3.txt requirements-dev.txt constraints.txt $(LOCKS)
	@command -v $(PYTHON) >/dev/null || { echo "Touchstone needs Python 3.11: there is no $(PYTHON). Name yours with make PYTHON=..."; exit 1; }
	@echo "Setting up .venv: this takes some minutes the first time"
	$(PYTHON) -m venv .venv
	$(PIP) --no-deps --require-hashes -r requirements.lock & first=$$!; \
		$(PIP) --no-deps --require-hashes -r requirements-dev.lock -r requirements-s3.lock && $(PIP) --no-deps $(TORCH); \
		second=$$?; wait $$first && exit $$second
	$(PIP) -r requirements-dev.txt -c constraints.txt
	@touch $@

# The hashes of all files of every pinned version, as the index has them: after a change of what is pinned.
lock: setup
	$(PIP) uv==0.13.9
	$(BIN)/python deploy/lock.py

demo: setup
	@PORT=$(PORT) bash demo/run.sh

run: setup
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) serve --port $(PORT)

test: setup chromium
	$(PYTEST) -m "smoke or not ($(LATER))"

# Workers and whole journeys run in .ci/run, on PostgreSQL and Redis.
test-landing: setup chromium
	$(PYTEST) --quarter $(QUARTER) -m "smoke or not (worker or journey)" $(ARGS)

# All that make test leaves out, and the properties again, on more examples than make test tries.
test-rest: setup chromium
	HYPOTHESIS_PROFILE=ci $(PYTEST) -m "hypothesis or (not smoke and ($(LATER)))"

test-all: setup chromium
	HYPOTHESIS_PROFILE=ci $(PYTEST)

test-browser: setup chromium
	$(PYTEST) -m browser

# A few times each they are part of make test-rest. ROUNDS=3 make test-faults for another number.
test-faults: setup
	FAULT_ROUNDS=$${ROUNDS:-10} $(BIN)/pytest -m faults

# What is unsteady shows before it lands. BASE=COMMIT make steady for a change that began there.
steady: setup chromium
	$(BIN)/python -m tests.steady $(BASE)

attack: setup
	$(BIN)/python -m tests.attack
	$(BIN)/python -m tests.attack --postgresql

# The browser of the tests: found, installed where that is ours to do, or named in a sentence.
chromium: setup
	@$(BIN)/python -m tests.browser.chromium

# The types take about as long as all the rest: each on a core of its own.
check: setup
	@$(MAKE) --no-print-directory --jobs 2 types contracts

types:
	$(BIN)/mypy

contracts:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(MANAGE) makemigrations --check --dry-run
	$(MANAGE) check --fail-level WARNING

fix: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# ARGS is passed on: make bench ARGS="--only rates"
bench: setup
	@$(BIN)/python -m bench.coverage $(or $(ARGS),--quick)

# ARGS is passed on: make bench-load ARGS="--quick"
bench-load: setup
	@$(BIN)/python -m bench.load $(ARGS)

screenshots: setup chromium
	@$(BIN)/python docs/screenshots.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
