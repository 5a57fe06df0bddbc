# Quern's tasks. `make help` lists them. All of it works from a fresh clone with Go, make and git; what needs more
# (a C compiler for the race detector, Chromium for the report's page tests) is installed by its target or skipped by name.

GO      ?= go
BUILD   := build
TOOLS   := $(BUILD)/tools
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -ldflags "-X github.com/quern-project/quern/cmd/quern/cli.version=$(VERSION)"
FUZZ    ?= 2s
ARCH    ?= amd64
CLUSTERS ?= 10000
STEPS   ?= 1000000
ALLOWED ?= 10000
KILLS   ?= 1000
BUSY    ?= 4
ROUNDS  ?= 1000000
SOAK    ?= 10m
KUBE_SOAK ?= 1h
RECORDS ?= 10000000
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
SCHEMAS := $(patsubst sdk/api/%,%,$(wildcard sdk/api/*/v1/*.proto))

# In CI, tests leave a report of that name, and are not vetted: `make lint` runs besides. A test that fails is printed with its output
# as soon as its package has run, and once more at the end. UNCACHED runs all of them: Go takes a result from its cache even if processors are
# busy or few now.
ifdef CI
gotest = $(CURDIR)/$(TOOLS)/gotestsum --format pkgname-and-test-fails --format-icons text --junitfile $(CURDIR)/$(BUILD)/$(1).xml -- -vet=off $(if $(UNCACHED),-count 1) -timeout 40m
else
gotest = $(GO) test $(if $(UNCACHED),-count 1) -timeout 40m
endif

# Reports of the tests for machines (JUnit, cucumber JSON) go here.
export QUERN_REPORTS := $(CURDIR)/$(BUILD)

.DEFAULT_GOAL := help
.PHONY: help run build test test-busy test-single check format lint tidy licences licences-check release vulnerabilities generate generated import-rules race wasm-builds clean-tree bench bench-against bench-page bench-quick instructions clusters cycles gang-steps calibrate fuzz-quick fuzz-turn kill-test simulate soak readers recovery toolchains plugins gallery chromium compiler site docs playground pictures page-tests page-checks kube kube-image kube-tools kube-test kube-bench kube-allowed kube-soak kube-fuzz kube-race clean clean-room packages modules embedded

help: ## List the targets by group
	@awk -v of=$(GROUP) -f tools/help.awk $(firstword $(MAKEFILE_LIST)) || { echo "GROUP=$(GROUP): expected a group that make help lists"; exit 1; }

build: | $(BUILD)/ ## Compile quern, with all that its playground runs, into build/quern
	@$(MAKE) --no-print-directory -j 2 packages modules
	@$(MAKE) --no-print-directory embedded
	@$(GO) build $(LDFLAGS) -o $(BUILD)/quern ./cmd/quern

# The program is linked when the modules are there; until then its packages are compiled beside them.
packages:
	@$(GO) run ./internal/cmd/gobuild ./cmd/quern/program

# The dashboard comes first: what only the playground needs is compiled while it runs.
run: | $(BUILD)/ ## Run a live scheduler with a simulated cluster; without a terminal for some seconds, with a report in build/demo
	@$(GO) run ./internal/cmd/gobuild $(LDFLAGS) -o $(BUILD)/quern ./cmd/quern
	@GO=$(GO) tools/run-demo.sh $(BUILD)/quern $(BUILD)/demo $(BUILD)

toolchains: ## [install] Install what policies in C, Rust and AssemblyScript are built with
	@plugins/toolchains.sh

modules: | $(BUILD)/ ## [build] Compile what the playground runs into build: the scheduler, the runner of features, the checks of policies
	@$(GO) run ./internal/cmd/wasmbuild all $(BUILD)

# Where quern embeds them from. A file that has not changed stays, so that nothing is compiled again.
embedded: modules
	@cd $(BUILD)/modules && for file in *.gz later/*.gz; do cmp -s $$file $(CURDIR)/wasm/browser/site/dist/$$file || cp $$file $(CURDIR)/wasm/browser/site/dist/$$file; done

site: modules plugins ## [build] Build the playground into build/site, a folder that any web server can host (needs Node)
	@wasm/browser/playground/tasks.sh build

docs: build ## Write the documentation as a site with search into build/docs
	@$(BUILD)/quern docs --site $(BUILD)/docs

playground: site ## [write] Put a fresh build of the pages where quern embeds them from, to be committed with a change of them
	@wasm/browser/playground/tasks.sh commit
	@$(MAKE) --no-print-directory embedded

plugins: ## [build] Build the policies that ship into build/policies
	@plugins/build.sh

gallery: plugins ## [write] Draw what the shipped policies do on the openb lists (QUERN_OPENB names their folder)
	$(GO) run ./internal/cmd/gallery

pictures: build site ## [write] Make the pictures of the documents from what the program and the pages show today (Chromium, QUERN_OPENB)
	$(GO) test -count 1 ./internal/doctest -run TestThePictureOfTheTerminal -update
	wasm/browser/playground/tasks.sh pictures
	$(GO) run ./internal/cmd/gallery -only pictures

# SHORT leaves out browsers, long properties and the other modules.
test: plugins embedded | $(BUILD)/ ## Run all tests, or with SHORT=1 the quick ones; those that need what is missing (a compiler, Node, Chromium) are skipped by name
ifdef CI
test: $(TOOLS)/.built
endif
ifdef SHORT
	$(call gotest,junit) -short ./...
else
	$(call gotest,junit) ./...
	cd docs/operate/check && $(call gotest,junit-operate) ./...
	cd host/kube && $(call gotest,junit-kube) -short ./...
	cd tools && $(call gotest,junit-tools) ./image ./lint
	cd tools/supply && $(call gotest,junit-supply) ./licences
	@$(MAKE) --no-print-directory page-tests
endif

clean-room: ## [test] Prove make run and make test in a fresh clone with an empty home, no caches and no root (a quarter of an hour; loads modules)
	@tools/clean-room.sh

test-busy: ## [test] Run all tests while BUSY (4) other processes keep the processors busy: no test may depend on a fast machine
	@tools/busy.sh $(BUSY) $(MAKE) --no-print-directory UNCACHED=1 test

test-single: ## [test] Run all tests with one processor for Go
	@GOMAXPROCS=1 $(MAKE) --no-print-directory UNCACHED=1 test

kube: embedded | $(BUILD)/ ## [kube] Compile quern for Kubernetes into build/quern-kube
	cd host/kube && $(GO) build $(LDFLAGS) -o $(CURDIR)/$(BUILD)/quern-kube ./cmd/quern-kube

kube-image: embedded | $(BUILD)/ ## [kube] Make a container image of it, as build/quern-kube-ARCH.tar (ARCH=amd64)
	cd host/kube && CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) $(GO) build -trimpath -buildvcs=false $(subst -ldflags ",-ldflags "-s -w ,$(LDFLAGS)) -o $(CURDIR)/$(BUILD)/image/quern-kube ./cmd/quern-kube
	cd tools && $(GO) run ./image --program $(CURDIR)/$(BUILD)/image/quern-kube --arch $(ARCH) --name quern-kube:$(VERSION) --out $(CURDIR)/$(BUILD)/quern-kube-$(ARCH).tar $(CURDIR)/LICENSE $(CURDIR)/NOTICE

# Without -count, a run from before the programs were built would count: Go does not see files outside the module.
kube-test: kube-tools | $(BUILD)/ ## [kube] Test host/kube on a real Kubernetes control plane (KUBERNETES=1.37: on that version); of this, make test plays the scenarios where the control plane is built
	cd host/kube && $(GO) test -count 1 -timeout 30m ./...

# One turn takes some minutes. The sizes and what is left out are variables; see BenchmarkBinds.
kube-bench: kube kube-tools ## [kube] Measure how fast pods are bound: by requests alone, by quern and by kube-scheduler (TURNS, NODES, PODS, GANG, STUCK, STUCKBY, CONTENDERS)
	cd host/kube && QUERN=$(CURDIR)/$(BUILD)/quern-kube $(GO) test ./cmd/quern-kube -run '^$$' -bench Binds -benchtime 1x -timeout 0 -v

kube-soak: kube-tools ## [kube] Have pods, nodes, queues and leaders come and go on a control plane, a day's churn in KUBE_SOAK (1h), and see that quern takes no more and more
	cd host/kube && QUERN_KUBE_SOAK=$(KUBE_SOAK) $(GO) test ./cmd/quern-kube -count 1 -run TestAClusterThatChurns -timeout 0 -v

kube-allowed: ## [kube] Hold where 10,000 random pods are and wait against all filter plugins of Kubernetes (ALLOWED=10000)
	cd host/kube && QUERN_ALLOWED=$(ALLOWED) $(GO) test ./filter -count 1 -run PodsAreWhereAllPluginsLetThem -timeout 0 -v

# The filters are left out: compiling the plugins of Kubernetes for the race detector takes many minutes.
kube-race: compiler ## [kube] Run the tests of host/kube under the race detector that need no control plane (minutes to compile)
	cd host/kube && CGO_ENABLED=1 $(GO) test -short -race -vet=off -timeout 20m ./leader ./podwrite ./policymaps ./recording ./retry ./webhook

kube-tools: ## [kube] Build a Kubernetes control plane for tests into a cache outside the tree, once (ten minutes or more, then nothing; KUBERNETES=1.37: that version)
	@tools/kube/build.sh

page-tests: ## [test] Test the page of the playground, on a fresh build: its logic in Node, the whole of it in Chromium
	@if why=$$(wasm/browser/playground/tasks.sh ready); then $(MAKE) --no-print-directory build site && wasm/browser/playground/tasks.sh unit && wasm/browser/playground/tasks.sh browser; \
	else echo "the page's tests skipped, because $$why"; fi

# In CI, where make test has run, the import rules have been checked.
rules := $(if $(CI),,import-rules)

check: format lint tidy licences-check generated $(rules) race wasm-builds page-checks clean-tree ## Check the code: format, lint and vet, tidy, licences, generated code, import rules, race, wasm builds, the page, clean tree

format: | $(BUILD)/
	@echo "check: format"
	@git status --porcelain > $(BUILD)/tree-before
	@out=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go' | xargs ls -d 2>/dev/null)); \
	if [ -n "$$out" ]; then echo "not formatted by gofmt:"; echo "$$out"; exit 1; fi

# The checkers hold the types of all that is imported: a collector that comes often goes through them over and over.
lint: export GOGC = 400
lint: export GOMEMLIMIT = 3GiB
lint: $(TOOLS)/.built
	@echo "check: staticcheck, vet and errcheck"
	@$(TOOLS)/lint ./...
	@cd host/kube && $(CURDIR)/$(TOOLS)/lint ./...
	@echo "check: unparam"
	@$(TOOLS)/unparam ./...
	@cd host/kube && $(CURDIR)/$(TOOLS)/unparam ./...
	@echo "check: misspell"
	@git ls-files -co --exclude-standard | grep -vE '(^|/)(third_party|testdata|dist)/|^internal/licences/texts/|\.(sum|png|wasm|gz|zst)$$' | xargs ls -d 2>/dev/null | xargs $(TOOLS)/misspell -error

# The modules below tools/kube are left out: tidying them downloads 190 MB that nothing else needs.
tidy:
	@echo "check: tidy"
	@$(GO) mod tidy -diff
	@cd tools && $(GO) mod tidy -diff
	@cd tools/supply && $(GO) mod tidy -diff
	@cd docs/operate/check && $(GO) mod tidy -diff
	@cd host/kube && $(GO) mod tidy -diff

licences: ## [write] Write internal/licences: the licences of everything that the programs contain (the page's packages must be installed)
	$(GO) run -C tools/supply ./licences -root $(CURDIR)

licences-check:
	@echo "check: licences"
	@$(GO) run -C tools/supply ./licences -root $(CURDIR) -check

release: embedded ## [build] Build the programs for PLATFORMS into build/release, with bills of materials (CycloneDX), licences and checksums
	@tools/release.sh $(VERSION) $(BUILD)/release $(PLATFORMS)

vulnerabilities: ## [test] Scan for calls of vulnerable functions, offline with VULNDB, a folder with a Go vulnerability database
	@tools/vulnerabilities.sh "$(VULNDB)"

generate: $(TOOLS)/.built ## [write] Generate Go from the schemas below sdk/api
	$(TOOLS)/protogen $(SCHEMAS)

generated: $(TOOLS)/.built
	@echo "check: generated code"
	@$(TOOLS)/protogen -check $(SCHEMAS)

import-rules:
	@echo "check: import-rules"
	@$(GO) test ./internal/importrules

# With the tag poison, a pointer into a table that was kept too long shows.
race: compiler | $(BUILD)/
	@echo "check: race"
	@$(GO) test -short -tags poison -vet=off ./core/internal/state/... >$(BUILD)/poison.log 2>&1 || { cat $(BUILD)/poison.log; exit 1; }
	@if command -v $$($(GO) env CC) >/dev/null; then tools/race.sh; \
	else echo "race run skipped, because there is no C compiler and none could be installed"; fi

# For wasip1 most is compiled already, with these flags. Nothing runs what is compiled for js, so that goes quickly, without optimizing.
wasm-builds:
	@echo "check: wasm builds"
	@$(GO) run ./internal/cmd/wasmbuild packages ./core/... ./wasm/browser/rpc ./wasm/browser/policytest ./wasm/module/gate ./wasm/browser/hostmodules ./sdk/policy
	@GOOS=js GOARCH=wasm $(GO) build -gcflags='all=-N -l -dwarf=false' ./core/... ./wasm/module/gate ./sdk/policy

page-checks:
	@echo "check: the page"
	@wasm/browser/playground/tasks.sh lint
	@wasm/browser/playground/tasks.sh compare

# In CI nothing may differ from the commit; at a desk the checks themselves may not have changed anything.
clean-tree: format lint tidy licences-check generated $(rules) race wasm-builds page-checks
	@echo "check: clean tree"
	@git status --porcelain > $(BUILD)/tree-after
	@if [ -n "$$CI" ] && [ -s $(BUILD)/tree-after ]; then echo "the tree is not clean:"; cat $(BUILD)/tree-after; exit 1; fi
	@diff $(BUILD)/tree-before $(BUILD)/tree-after || { echo "the checks changed the tree"; exit 1; }

bench: build plugins ## [measure] Run every workload and write docs/inside/performance.md and docs/policies/table.md (a quarter of an hour)
	$(GO) run ./internal/cmd/bench -quern $(BUILD)/quern -out docs/inside/performance.md
	$(GO) run ./internal/cmd/gallery

bench-page: build site ## [measure] Measure the core in Chromium and the playground: fill, frames, start, import, memory (QUERN_MINUTES of play)
	QUERN_FILL=1 $(GO) test -count 1 ./wasm/browser/coremodule -run FillSpeed -v
	wasm/browser/playground/tasks.sh bench

bench-against: plugins ## [measure] Run BINARY, another build of the benchmark, in turns with this one, and print ratios (TABLE=fill for one table)
	@test -n "$(BINARY)" || { echo "BINARY: expected the path of a build of ./internal/cmd/bench"; exit 1; }
	$(GO) run ./internal/cmd/bench -against $(BINARY) $(if $(TABLE),-only $(TABLE))

instructions: | $(BUILD)/ ## [measure] Count instructions and cache misses of an allocation, by package, into docs/inside/performance.md (wants valgrind; some minutes)
	@if command -v valgrind >/dev/null; then $(GO) build -o $(BUILD)/bench ./internal/cmd/bench && $(BUILD)/bench -instructions -out docs/inside/performance.md; \
	else echo "instructions skipped, because valgrind is not installed"; fi

bench-quick: plugins ## [measure] Run small workloads in under a minute, without judging
	$(GO) run ./internal/cmd/bench -quick

clusters: ## [endure] Run CLUSTERS (10000) generated clusters through each random property of the core, one after the other (hours; SEED=N repeats a run)
	tools/clusters.sh $(CLUSTERS) $(SEED)

cycles: ## [endure] Play random clusters whose victims ask again for STEPS (1000000) steps, and see that no preemption goes round (minutes; 10^8 take hours)
	QUERN_CYCLE_STEPS=$(STEPS) $(GO) test ./core/scheduler -count 1 -run TestCycles_NoneUnderTheLaws -timeout 0 -v

gang-steps: ## [endure] Run gangs through STEPS (1000000) random steps and snapshots, and see that none runs below its minimum for longer than it may (minutes; SEED=N)
	QUERN_GANG_STEPS=$(STEPS) QUERN_SEED=$(or $(SEED),1) $(GO) test ./core/oracle -count 1 -run TestUnits_NothingRunsShortOverManySteps -timeout 0 -v

calibrate: ## [measure] Compare forecasts with what happened, on LOGS (40) generated logs of each kind (a quarter of an hour)
	QUERN_CALIBRATION_LOGS=$(or $(LOGS),40) $(GO) test ./core/forecast -count 1 -run TestForecast_IsCalibrated -timeout 0 -v

kill-test: ## [endure] Kill a live scheduler KILLS (1000) times under load, in snapshots and compaction too, and see that it keeps what it acknowledged
	KILLS=$(KILLS) $(GO) test ./cmd/quern/program -count 1 -run TestKilledHost_KeepsAcknowledgedInputs -timeout 0 -v

simulate: ## [endure] Run a whole host in a simulation, for ROUNDS (1000000) rounds, with failing and damaged disks, crashes, policies and readers (SEED=N repeats a run)
	ROUNDS=$(ROUNDS) SEED=$(SEED) $(GO) test ./host/server -count 1 -run TestSimulation_AcknowledgedInputsStay -timeout 0 -v

soak: build ## [endure] Load a live scheduler at a steady rate for SOAK (10m), and see that it takes no more and more memory, files or disk
	$(GO) run ./internal/cmd/load -quern $(BUILD)/quern -dir $(BUILD)/soak -for $(SOAK) soak

readers: build ## [measure] Measure 10,000 asks a second without and with 1,000 readers of decisions, half of which stop reading
	$(GO) run ./internal/cmd/load -quern $(BUILD)/quern -dir $(BUILD)/readers -for 1m readers

recovery: ## [measure] Measure what a start takes, by parts, from a record of RECORDS (10000000) and from snapshots (gigabytes of disk, minutes)
	RECORDS=$(RECORDS) $(GO) test ./host/server -run '^$$' -bench BenchmarkStart -benchtime 1x -timeout 0

# The corpora are part of the tests. .ci/run chooses the third. It runs blind, on what make test has compiled.
fuzz-turn:
	tools/fuzz-quick.sh $(FUZZ) . $(or $(QUERN_TURN),1/3) blind

fuzz-quick: ## [test] Run each fuzz target for a few seconds (FUZZ=2s), those of host/kube apart; CI runs a third, by turns, without coverage
	tools/fuzz-quick.sh $(FUZZ)

kube-fuzz: ## [kube] Run each fuzz target of host/kube for a few seconds (FUZZ=2s)
	tools/fuzz-quick.sh $(FUZZ) ./host/kube

chromium: ## [install] Install Debian's Chromium, for the tests that look at pages
	@if command -v chromium >/dev/null; then echo "chromium is here: $$(command -v chromium)"; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "installing Debian's chromium"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	else echo "chromium not installed, because that needs apt-get and root; the page tests will be skipped"; fi

compiler:
	@if command -v $$($(GO) env CC) >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "installing Debian's gcc, for the race detector"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null || true; fi

clean: ## Remove what builds and runs left behind
	rm -rf $(BUILD)
	cd wasm/browser/site/dist && rm -f core.wasm.gz features.wasm.gz later/policytest.wasm.gz

$(BUILD)/:
	@mkdir -p $@

$(TOOLS)/.built: tools/go.mod tools/go.sum tools/protogen/main.go $(wildcard tools/lint/*.go) tools/lint/errcheck.txt | $(BUILD)/
	@mkdir -p $(TOOLS)
	$(GO) build -C tools -o $(CURDIR)/$(TOOLS)/ tool
	@touch $@
