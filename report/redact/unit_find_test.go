package redact

import (
	"strings"
	"testing"
)

// everyUnitAt says the same as unitAt by trying each place.
func everyUnitAt(s string) (from, to int, kind unitKind) {
	for base := 0; ; base = from + 1 {
		m := unit.FindStringIndex(s[base:])
		if m == nil {
			return 0, 0, noUnit
		}
		from, to = base+m[0], base+m[1]
		if kind = unitOf(s[from:to]); kind != noUnit && bounded(s, from, to, kind) {
			return from, to, kind
		}
	}
}

// unitTexts hold each form of a unit, and what is nearly one.
var unitTexts = []string{
	"", "pod web-0 on node a-1", "pvc-31fb72ec-e764-4857-81b4-80e9d77edda8", "31FB72EC-E764-4857-81B4-80E9D77EDDA8 and e-7475a8d6bfac",
	"sha256:" + strings.Repeat("0aF", 21) + "b.", strings.Repeat("a", 65), "at 06:06:51 from 0a:1b:2c:3d:4e:5f",
	"fe80::1%eth0 [::1]:80 2001:db8::a:1",
	"ip-10-0-0-10.eu-west-1.compute.internal", "4.18.0.1-2, 1.2.3 and 10.0.0.1:443", "::ffff:10.0.0.1",
	"\u017f-7475a8d6bfac \u212a-7475a8d6bfac", "-7475a8d6bfac", "1-2-3-4-5",
	"a\\n10.0.0.1", "1234.1.1.1 1.1.1.1234", "2026-11-21T06:06:51.686Z", "node-0123456789ab-31fb72ec-e764-4857-81b4-80e9d77edda8", ":::",
	"1:2:3:4:5:6:7:8:9", "50:01:43:80:12:34:56:78 and " + strings.Repeat("0a:", 19) + "0b",
}

func TestUnitAt(t *testing.T) {
	found := 0
	for _, s := range unitTexts {
		from, to, kind := unitAt(s)
		if f, e, k := everyUnitAt(s); from != f || to != e || kind != k {
			t.Errorf("%q: %q from %d to %d, want %q from %d to %d", s, kind, from, to, k, f, e)
		}
		if kind != noUnit {
			found++
		}
	}
	if found < 10 {
		t.Errorf("units in %d texts only: the test tries next to nothing", found)
	}
}

func FuzzUnitAt(f *testing.F) {
	for _, s := range unitTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		from, to, kind := unitAt(s)
		if a, b, k := everyUnitAt(s); from != a || to != b || kind != k {
			t.Errorf("%q: %q from %d to %d, want %q from %d to %d", s, kind, from, to, k, a, b)
		}
	})
}
