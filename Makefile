# Targets: build install test test-long check fuzz mutants bench bench-peers golden docs screenshot assets cross release-check notice vulnerabilities.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
# As in .github/workflows/release.yml.
GORELEASER = github.com/goreleaser/goreleaser/v2@v2.12.7
# How long each fuzz target runs.
FUZZTIME ?= 30s

.PHONY: build install test test-long check fuzz mutants bench bench-peers golden docs screenshot assets cross release-check notice vulnerabilities

# One static binary, ./volpost.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o volpost ./cmd/volpost

# Where PATH has it already: /usr/local/bin, or PREFIX=$HOME/.local for one user. Below DESTDIR for packages.
PREFIX ?= /usr/local
install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 volpost $(DESTDIR)$(PREFIX)/bin/volpost

test:
	go test ./...
	go test -C samples/generate ./...

# The same over every recording, with what takes gigabytes, a real Prometheus or minutes.
test-long:
	go test -tags long -timeout 30m ./...
	go test -C samples/generate ./...

check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt -w $$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags long ./...
	go vet -C samples/generate ./...
	go vet -C .ci/mutants ./...
	go run $(STATICCHECK) -tags long ./...
	go run -C samples/generate $(STATICCHECK) ./...
	go run -C .ci/mutants $(STATICCHECK) ./...

# Each target for FUZZTIME, one on each processor.
fuzz:
	.ci/fuzz $(FUZZTIME)

# Break the rules of the analysis one at a time; each package's own tests have to find it. All of them take hours; a sample of 100
# for each package, drawn by a seed, takes minutes: make mutants MUTANTS='-n 100 -seed 7'. What survived is listed.
MUTANTS ?=
mutants:
	go run -C .ci/mutants . $(MUTANTS) ./analyze/wait ./analyze/cause ./analyze/decision ./analyze/replay ./analyze/remedy

# The benchmark of every stage, compared with the stored baseline.
bench:
	.ci/bench

# Whole processes side by side, as tables: grep, wc, gzip, volpost.
bench-peers:
	.ci/bench-peers

# Rewrite what volpost is expected to print; review the diff. truth.json is measured and is never rewritten.
golden:
	go test ./ingest/internal/logfile ./ingest/internal/table ./analyze ./analyze/diff ./analyze/wait ./analyze/cause ./analyze/decision ./analyze/replay ./analyze/remedy ./report ./report/replay ./cmd/volpost -update

# Rewrite what in the pages of docs follows from the code, and the schema's causes and remedies.
docs:
	go test ./analyze ./cmd/volpost -run '^TestDocs' -update

# Take the README's pictures of a report again. Look at them.
screenshot:
	go test ./report/browser -run '^TestReadmePictures$$' -screenshot

# Man pages and completions, for packages: into build/.
assets: build
	rm -rf build/man build/completions
	mkdir -p build/man build/completions
	./volpost man build/man
	./volpost completion bash >build/completions/volpost.bash
	./volpost completion zsh >build/completions/_volpost
	./volpost completion fish >build/completions/volpost.fish
	./volpost completion powershell >build/completions/volpost.ps1
	printf '#!/bin/sh\n# kubectl asks this for what can follow kubectl volpost.\nexec kubectl volpost __complete "$$@"\n' >build/completions/kubectl_complete-volpost
	chmod 755 build/completions/kubectl_complete-volpost

# The program for every system that there is a release for. It takes minutes: every package is compiled eight times.
cross:
	.ci/cross

# All of a release that needs no credentials, no Docker and no syft, into dist/; see docs/releasing.md.
release-check:
	go run $(GORELEASER) check
	go run $(GORELEASER) release --snapshot --clean --skip=publish,sign,sbom,docker

# The licences of what is linked, into NOTICE, after a change of go.mod.
notice:
	.ci/notice >NOTICE.new && mv NOTICE.new NOTICE

# What of the known vulnerabilities of the modules and of Go the program reaches. It asks a database in the network.
vulnerabilities:
	go run $(GOVULNCHECK) ./...
