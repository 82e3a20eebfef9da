# The ways to use this folder. `make help` lists them.

CARGO ?= cargo
target = $(or $(CARGO_TARGET_DIR),target)
RDG = $(target)/release/rdg

# Where `make install` puts things: below $(DESTDIR)$(PREFIX).
PREFIX ?= /usr/local
DESTDIR ?=
INSTALL ?= install
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man1
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
files = target/package-files

.DEFAULT_GOAL := help
.PHONY: help build run quickstart test fmt lint bench clean setup setup-edax setup-egaroucid
.PHONY: install uninstall package-files deb doc

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

doc: ## Build the documentation of the library, warnings are errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps

package-files: build
	rm -rf $(files)
	mkdir -p $(files)/completions
	$(RDG) man --all $(files)/man
	$(RDG) completions bash >$(files)/completions/rdg
	$(RDG) completions zsh >$(files)/completions/_rdg
	$(RDG) completions fish >$(files)/completions/rdg.fish

install: package-files ## Install program, manual pages, completions; PREFIX, DESTDIR
	$(INSTALL) -d "$(bindir)" "$(mandir)" "$(bashdir)" "$(zshdir)" "$(fishdir)"
	$(INSTALL) -m 755 $(RDG) "$(bindir)/rdg"
	$(INSTALL) -m 644 $(files)/man/*.1 "$(mandir)/"
	$(INSTALL) -m 644 $(files)/completions/rdg "$(bashdir)/rdg"
	$(INSTALL) -m 644 $(files)/completions/_rdg "$(zshdir)/_rdg"
	$(INSTALL) -m 644 $(files)/completions/rdg.fish "$(fishdir)/rdg.fish"

uninstall: ## Remove what install has put there
	rm -f "$(bindir)/rdg" "$(mandir)/rdg.1" "$(mandir)"/rdg-*.1
	rm -f "$(bashdir)/rdg" "$(zshdir)/_rdg" "$(fishdir)/rdg.fish"

deb: package-files ## Make a Debian package in target/debian (needs cargo-deb)
	$(CARGO) deb --no-build --locked

clean: ## Remove what was built; datasets, logs and engines stay
	$(CARGO) clean

setup: setup-edax setup-egaroucid ## Set up both engines

setup-edax: ## Fetch and build Edax into third_party/
	bash scripts/setup-edax.sh

setup-egaroucid: ## Fetch and build Egaroucid for Console into third_party/
	bash scripts/setup-egaroucid.sh
