package main

import (
	"regexp"
	"strings"
)

// scanner finds names and times in a text: those of forms that Kubernetes makes, and given names.
type scanner struct{ found *regexp.Regexp }

// forms are what Kubernetes makes: klog's header, volumes, instances, the driver's pods, attachments, addresses, times and UIDs.
const forms = `[IWEF]1121 \d\d:\d\d:\d\d\.\d{6}|vol-[0-9a-f]{17}|i-[0-9a-f]{17}|csi-node-[0-9A-Za-z]{5}|csi-[0-9a-f]{64}|` +
	`10(?:\.\d+){3}|2026-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// newScanner looks for names where a word begins and ends, and for the end of an Event's name behind any.
func newScanner(names []string) *scanner {
	var quoted strings.Builder
	for _, n := range names {
		if n != "" {
			quoted.WriteString(regexp.QuoteMeta(n) + "|")
		}
	}
	const end = `(?:[^0-9A-Za-z]|$)`
	return &scanner{regexp.MustCompile(`(\.18[0-9a-f]{14})` + end + `|(?:^|[^0-9A-Za-z])(` + quoted.String() + forms + `)` + end)}
}

// next is where the first name or time begins and ends; two zeros are none.
func (sc *scanner) next(s string) (from, to int) {
	at := sc.found.FindStringSubmatchIndex(s)
	switch {
	case at == nil:
		return 0, 0
	case at[2] >= 0:
		return at[2], at[3]
	}
	return at[4], at[5]
}
