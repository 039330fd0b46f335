package upstream

import (
	"testing"
	"time"
)

func TestParseVersion(t *testing.T) {
	for in, want := range map[string]Version{
		"v1.34.3": {34, 3}, "1.23.17": {23, 17}, "v1.27.16-eks-1234": {27, 16}, "v1.30.14+k3s1": {30, 14}, "v1.31": {31, 0},
	} {
		if got, ok := ParseVersion(in); !ok || got != want {
			t.Errorf("ParseVersion(%q) = %v, %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "v4.14.2", "2.1", "v1.x", "v1.0.0"} {
		if got, ok := ParseVersion(in); ok {
			t.Errorf("ParseVersion(%q) = %v, want refused", in, got)
		}
	}
}

func TestBoundaries(t *testing.T) {
	v := func(s string) Version { x, _ := ParseVersion(s); return x }
	for _, c := range []struct {
		version            string
		asksHealth, second bool
		oos                Support
		grace              time.Duration
	}{
		{"1.23.17", false, false, Absent, 40 * time.Second},
		{"1.24.8", false, false, ByGate, 40 * time.Second},
		{"1.24.9", true, false, ByGate, 40 * time.Second},
		{"1.25.0", true, false, ByGate, 40 * time.Second},
		{"1.26.9", true, false, Supported, 40 * time.Second},
		{"1.26.10", true, true, Supported, 40 * time.Second},
		{"1.27.6", true, false, Supported, 40 * time.Second},
		{"1.28.2", true, false, Supported, 40 * time.Second},
		{"1.28.3", true, true, Supported, 40 * time.Second},
		{"1.29.0", true, true, Supported, 40 * time.Second},
		{"1.31.14", true, true, Supported, 40 * time.Second},
		{"1.32.0", true, true, Supported, 50 * time.Second},
	} {
		if got := ForceDetachAsksHealth(v(c.version)); got != c.asksHealth {
			t.Errorf("%s: ForceDetachAsksHealth = %v", c.version, got)
		}
		if got := SecondAttachmentAfterFailedDetach(v(c.version)); got != c.second {
			t.Errorf("%s: SecondAttachmentAfterFailedDetach = %v", c.version, got)
		}
		if got := OutOfServiceDetach(v(c.version)); got != c.oos {
			t.Errorf("%s: OutOfServiceDetach = %v", c.version, got)
		}
		if got, _ := DefaultGrace(v(c.version)); got != c.grace {
			t.Errorf("%s: DefaultGrace = %v", c.version, got)
		}
	}
	for version, own := range map[string]bool{"1.23.17": true, "1.24.0": false, "1.27.16": false, "1.28.0": true, "": false} {
		if got := ForcedDetachHasOwnLine(v(version)); got != own {
			t.Errorf("%q: ForcedDetachHasOwnLine = %v", version, got)
		}
	}
	if _, ok := DefaultGrace(Version{}); ok {
		t.Error("an unknown version has a default grace period")
	}
}
