# keylore: the commands of README. A fresh machine needs python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
CODE := domain services cli tests bench

.PHONY: help demo test check long format lint types protos protos-check bench clean

help:  ## list these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

$(READY): pyproject.toml deploy/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("keylore needs Python 3.11 or newer; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint deploy/constraints.txt --editable .
	@touch $@

$(READY_DEV): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint deploy/constraints.txt --editable '.[dev]'
	@touch $@

demo: $(READY)  ## play a small tournament with built-in bots and show a replay
	$(BIN)/keylore demo

test: $(READY_DEV)  ## every test that needs nothing but this machine
	$(BIN)/python -m pytest -q -n 2 -m "not long"

check: $(READY_DEV)  ## all that must hold before a change lands
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd protos && ../$(BIN)/buf lint
	$(MAKE) --no-print-directory protos-check
	$(BIN)/python -m pytest -q -n 2 -m "not long" --cov --cov-report=term --cov-report=xml
	$(BIN)/coverage report --fail-under=95 --format=total
	$(BIN)/coverage report --include='domain/*' --fail-under=100 --format=total

long: $(READY_DEV)  ## the long property, chaos and soak runs
	$(BIN)/python -m pytest -q -n 2 -m long

bench: $(READY_DEV)  ## ratios against floors and peers, in one run
	$(BIN)/python -m bench

format: $(READY_DEV)  ## put code in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

protos: $(READY_DEV)  ## regenerate the Python beside the protos
	$(BIN)/python -m grpc_tools.protoc -Iprotos --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy \
		--plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc --python_out=protos --grpc_python_out=protos \
		--mypy_out=protos --mypy_grpc_out=protos protos/keylore/v1/*.proto

protos-check: $(READY_DEV)
	$(BIN)/python deploy/check_protos.py

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* demo-league
