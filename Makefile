# The ways to use this folder. `make help` lists them.

CARGO ?= cargo
RDG = target/release/rdg

.DEFAULT_GOAL := help
.PHONY: help build run quickstart test fmt lint bench clean setup setup-edax setup-egaroucid

help: ## Show this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 20

build: ## Build the program: target/release/rdg
	$(CARGO) build --release --locked

run: build ## Generate what configs/config.toml describes; make run ARGS="--resume"
	$(RDG) $(ARGS)

quickstart: build ## Generate a small real dataset with the embedded engine, no set-up needed
	$(RDG) --config configs/quickstart.toml $(or $(ARGS),--resume)

test: ## Run all tests
	$(CARGO) test --locked --no-fail-fast --lib --bins --tests

fmt: ## Format the sources
	$(CARGO) fmt

lint: ## Check format and run clippy, warnings are errors
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets --locked -- -D warnings

bench: build ## Measure and check rules, solver, search, self-play; make bench ARGS="--quick"
	$(RDG) bench $(ARGS)

clean: ## Remove what was built; datasets, logs and engines stay
	$(CARGO) clean

setup: setup-edax setup-egaroucid ## Set up both engines

setup-edax: ## Fetch and build Edax into third_party/
	bash scripts/setup-edax.sh

setup-egaroucid: ## Fetch and build Egaroucid for Console into third_party/
	bash scripts/setup-egaroucid.sh
