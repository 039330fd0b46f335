# Targets: build test check fuzz bench golden.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
# How long each fuzz target runs.
FUZZTIME ?= 30s

.PHONY: build test check fuzz bench golden

# One static binary, ./volpost.
build:
	CGO_ENABLED=0 go build -trimpath -o volpost ./cmd/volpost

test:
	go test ./...

check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt -w $$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...

# The Go tool fuzzes one target of one package at a time.
fuzz:
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

# Keep the output of two runs and compare them with benchstat.
bench:
	go test -run '^$$' -bench . -benchmem ./...

# Rewrite what volpost is expected to print; review the diff. truth.json is measured and is never rewritten.
golden:
	go test ./report ./cmd/volpost -update
