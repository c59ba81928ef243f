# git ralph: build it, try it, test it. `make help` lists the targets.
# Needs Go, git and make. Go modules and the pinned tools (tools.mod) are fetched by go itself.

SHELL := /bin/sh
PREFIX ?= $(HOME)/.local
FUZZTIME ?= 10m
FUZZ ?= long
MANDIR ?= bin/man
BENCHFLAGS ?=
AGENTS_DIR ?= $(or $(TMPDIR),/tmp)/git-ralph-agents
WEB_DIR ?= $(or $(TMPDIR),/tmp)/git-ralph-web
PINNED_AGENTS := @anthropic-ai/claude-code@2.1.330 @openai/codex@0.169.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33
# With a name alone, npm would take the newest version for this Node.js, which may be an old one.
NEWEST_AGENTS = $(foreach name,@anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai,$(name)@$(shell npm view $(name) version))
# The newest inspector needs Node.js 22.
MCP_CLIENTS := @modelcontextprotocol/inspector@0.15.0 @modelcontextprotocol/sdk@1.32.2 gpt-tokenizer@4.0.0
AGENTS ?= pinned

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TAGS := urfave_cli_no_docs
SHIPPED := -trimpath -buildvcs=false -tags $(TAGS) -ldflags "-s -w -X main.version=$(VERSION)"

export CGO_ENABLED = 0

.DEFAULT_GOAL := build
.PHONY: help build demo test test-managers test-agents test-web test-dist lint race fuzz bench man check-real dist install uninstall format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 · /p' Makefile

build: ## the programs, as they are shipped: bin/git-ralph, and those that it and git run
	@go build $(SHIPPED) -o bin/git-ralph ./cmd/git-ralph
	@go build $(SHIPPED) -o bin/git-ralph-merge-driver ./merge-driver
	@go build $(SHIPPED) -o bin/git-ralph-workplan-parser ./cmd/git-ralph-workplan-parser
	@go build $(SHIPPED) -o bin/git-ralph-ui ./cmd/git-ralph-ui

demo: build ## two clones change one plan, pull merges it by itself, the log shows the outcomes; then an agent does the work, a team of them, and a team that takes items to done
	@go build -buildvcs=false -o bin/scripted-agent ./internal/test/demo/scripted-agent
	@sh internal/test/demo/demo.sh bin
	@sh internal/test/demo/loop.sh bin
	@sh internal/test/demo/team.sh bin
	@sh internal/test/demo/pipeline.sh bin

test: ## everything that guards a promise
	@sh internal/test/checks/run.sh test

test-managers: build ## hooks beside husky, lefthook, simple-git-hooks and pre-commit; needs npm and its registry
	@sh internal/test/checks/managers.sh bin/git-ralph

test-agents: ## the loop and a team with real agent programs, which npm fetches (AGENTS=newest: the newest), and a scripted model on this machine; MCP with the official inspector; a State Hub that is written with another SDK
	@mkdir -p "$(AGENTS_DIR)/$(AGENTS)"
	@npm install --prefix "$(AGENTS_DIR)/$(AGENTS)" --no-save --no-audit --no-fund --silent $(if $(filter newest,$(AGENTS)),$(NEWEST_AGENTS),$(PINNED_AGENTS)) $(MCP_CLIENTS)
	@npm ls --prefix "$(AGENTS_DIR)/$(AGENTS)" --depth=0 2>/dev/null || true
	@RALPH_AGENTS="$(AGENTS_DIR)/$(AGENTS)" go test -count=1 -timeout 40m -tags agents,$(TAGS) -v ./internal/test/realagent ./cmd/git-ralph-ui

test-web: ## the page of git ralph web in Chromium (Debian's package chromium), with axe-core, which npm fetches: clicks, keys, live changes, lost connections, strangers, 10,000 tasks
	@command -v "$(or $(RALPH_CHROMIUM),chromium)" >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { echo "make test-web needs Chromium: apt-get install chromium, or RALPH_CHROMIUM=PROGRAM" >&2; exit 1; }
	@mkdir -p "$(WEB_DIR)"
	@npm install --prefix "$(WEB_DIR)" --no-save --no-audit --no-fund --silent axe-core@4.14.1
	@RALPH_AXE="$(WEB_DIR)" go test -count=1 -timeout 20m -tags web,$(TAGS) -v ./internal/test/webpage

test-dist: ## a release, built twice, is the same; its packages and archive install, work and go without a trace in a clean Debian; some minutes, as root, with debootstrap
	@sh internal/test/checks/run.sh dist

lint: ## format, vet, static analysis, builds for other systems
	@sh internal/test/checks/run.sh lint

race: ## the concurrent packages with the race detector, and the commands as go install builds them
	@sh internal/test/checks/run.sh race

fuzz: ## a million merges, thousands of drawn histories, and every fuzz target for FUZZTIME each (default 10m); FUZZ=short: 20,000 inputs each, and 25,000 merges
	@FUZZTIME=$(if $(filter short,$(FUZZ)),20000x,$(FUZZTIME)) sh internal/test/checks/run.sh $(if $(filter short,$(FUZZ)),fuzz,long)

bench: build ## speed, as ratios against git and a Go hello-world; merges beside those of others; 64 workers claim 2,000 tasks; the page of 10,000 tasks in Chromium
	@go run ./internal/test/bench -bin bin/git-ralph $(BENCHFLAGS)
	@go test -vet=off -run '^$$' -bench Inflate ./internal/git/odb
	@case "$(BENCHFLAGS)" in *-only*claims*) ;; *-only*) exit 0 ;; esac; GIT_RALPH_CROWD="2000 64 8" go test -v -vet=off -count=1 -timeout 60m -run '^TestCrowd$$' ./internal/claim/authority
	@case "$(BENCHFLAGS)" in *-only*) exit 0 ;; esac; command -v "$(or $(RALPH_CHROMIUM),chromium)" >/dev/null || { echo "the page of git ralph web is measured with Chromium: apt-get install chromium"; exit 0; }; go test -v -vet=off -count=1 -timeout 20m -tags web,$(TAGS) -run '^TestLarge' ./internal/test/webpage

man: ## manual pages from the command tree, into MANDIR (default bin/man)
	@go run $(SHIPPED) ./internal/cli/manpages "$(MANDIR)" && echo "manual pages in $(MANDIR)"

check-real: build ## read, query and change every plan in a git bundle: BUNDLE=<path>
	@test -n "$(BUNDLE)" || { echo "usage: make check-real BUNDLE=<path>" >&2; exit 2; }
	@go run ./internal/test/checkreal -bin bin/git-ralph "$(BUNDLE)"

dist: ## a release, in dist: archives, packages, bills of materials and checksums (docs/releasing.md); DIST_TARGETS="linux/amd64 …": for these platforms alone
	@go run ./internal/dist $(if $(DIST_TARGETS),-targets "$(DIST_TARGETS)") $(if $(DIST_MAINTAINER),-maintainer "$(DIST_MAINTAINER)")

install: ## programs, manual pages and completions under PREFIX (default ~/.local)
	@sh install.sh --prefix "$(PREFIX)"

uninstall: ## remove what install put under PREFIX
	@sh install.sh --prefix "$(PREFIX)" --uninstall

format: ## format the Go files with gofumpt
	@go tool -modfile=tools.mod gofumpt -w .

clean: ## remove what make built
	@rm -rf bin dist
