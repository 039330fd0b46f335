package phrase

import "testing"

// TestPodOfADamagedLine: what a decoder has put in the place of bytes that are no text is no name.
func TestPodOfADamagedLine(t *testing.T) {
	for value, want := range map[string]string{
		`["shop/web-0"]`: "web-0", `["web-0"]`: "web-0", `["shop/größe-0"]`: "größe-0", `["shop/w 0"]`: "",
		"[\"sh\xffop/web-0\"]": "", "[\"shop/w\xfeb-0\"]": "", "[shop/w\xfeb-0]": "",
	} {
		got := ""
		if found := podList(list(value)); len(found) > 0 {
			got = found[0].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
