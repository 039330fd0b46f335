package check

import "testing"

// A name that Kubernetes would refuse never enters a command, whatever a shell would make of it.
func TestWord(t *testing.T) {
	for name, want := range map[string]string{
		"worker-1": "worker-1", "pvc-1.x": "pvc-1.x", "--all": refused, "-n": refused, "": refused, "a b": refused, "a;reboot": refused,
		"$(x)": refused, "a'b": refused, "Upper": refused, "a-": refused,
	} {
		if got := word(name); got != want {
			t.Errorf("word(%q) = %q, want %q", name, got, want)
		}
	}
	if got := shellWords([]string{"a", "--all"}); got != "a "+refused {
		t.Errorf("words: %q", got)
	}
}
