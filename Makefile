# Every target sets up what it needs. On Windows and macOS: the three plain commands are in the README.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

# These look at all processes and slots that a run leaves behind, so they run by themselves.
ALONE := tests/hostile tests/test_kills.py tests/test_cluster.py

.PHONY: setup demo lab test check bench bench-rivals browser site serve pdf parity soak isolation notebooks pins clean
.DEFAULT_GOAL := demo

setup: $(VENV)/ready  ## what a student and an instructor need

$(VENV)/ready: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/ready-dev: requirements-dev.txt $(VENV)/ready
	$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

demo: setup  ## grades the sample class and compares the table with the expected one
	$(RUN) examples/class/demo.py

lab: setup  ## opens the sessions in JupyterLab
	$(VENV)/bin/jupyter lab notebooks

check: $(VENV)/ready-dev  ## lint, types, drift of the notebooks
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check course grader publish tests bench examples
	$(VENV)/bin/mypy
	$(RUN) -m grader release --check

test: check  ## everything that must hold, under 15 minutes on two cores
	$(RUN) -m grader selftest
	$(RUN) -m pytest -m "not browser" -n 2 --dist loadfile $(ALONE:%=--ignore=%)
	$(RUN) -m pytest $(ALONE)

browser: $(VENV)/ready-dev  ## the notebooks in a real browser: JupyterLab and Notebook 7 in Chromium
	command -v chromium >/dev/null || { command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq chromium; } || true
	$(RUN) -m pytest -m browser tests/browser

site: $(VENV)/ready-dev  ## the course as a site with every check in the browser: build/site
	$(RUN) -m publish site

serve: site  ## shows it on this machine
	$(RUN) -m publish serve

pdf: site  ## the course as one PDF
	$(RUN) -m publish pdf

parity: $(VENV)/ready-dev  ## every kept answer in Pyodide and here: writes docs/browser-verdicts.md
	$(RUN) -m publish parity

bench: $(VENV)/ready-dev  ## speed against the floor and, where they are installed, the rivals
	$(RUN) -m bench.run

bench-rivals:  ## nbgrader and otter-grader, each in a virtual environment of its own under build/
	sh bench/rivals/install.sh $(PYTHON)

soak: $(VENV)/ready-dev  ## the long forms: 50 kills, memory from 10 to 5,000 submissions, a million records
	GRADER_KILLS=50 $(RUN) -m pytest tests/test_kills.py
	$(RUN) -m tests.soak
	$(RUN) -m bench.transcript_speed

isolation: $(VENV)/ready-dev  ## every attack against every layer: writes docs/isolation.md (as root)
	$(RUN) -m tests.hostile.matrix

notebooks: setup  ## solutions/ -> notebooks/
	$(RUN) -m grader release

pins: $(VENV)/ready-dev  ## resolves every dependency anew
	sh tools/pins.sh

clean:
	rm -rf build .venv
