package upstream

import "testing"

// TestSecondAttachmentAfterFailedDetach: the change is in 1.29.0 and was ported to three minor versions.
func TestSecondAttachmentAfterFailedDetach(t *testing.T) {
	for _, c := range []struct {
		version Version
		want    bool
	}{
		{Version{25, 99}, false}, {Version{26, 9}, false}, {Version{26, 10}, true}, {Version{27, 6}, false}, {Version{27, 7}, true},
		{Version{28, 2}, false}, {Version{28, 3}, true}, {Version{29, 0}, true}, {Version{}, false},
	} {
		if got := SecondAttachmentAfterFailedDetach(c.version); got != c.want {
			t.Errorf("%s: %v, want %v", c.version, got, c.want)
		}
	}
}

// TestRemovalEventDisrupted: only Karpenter's event Disrupted announces a removal.
func TestRemovalEventDisrupted(t *testing.T) {
	if _, ok := RemovalEvent("Disrupted", "karpenter"); !ok {
		t.Error("Karpenter's is none")
	}
	if _, ok := RemovalEvent("Disrupted", "other"); ok {
		t.Error("another's is one")
	}
	if who, ok := RemovalEvent("ScaleDown", "other"); !ok || who != ClusterAutoscaler {
		t.Errorf("ScaleDown: %v %v", who, ok)
	}
}
