package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	linkTarget = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)`)
	codeSpan   = regexp.MustCompile("`[^`\n]*`")
	codeBlock  = regexp.MustCompile("(?ms)^```.*?^```$")
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// TestLinks: what a page links to inside of the repository is there, down to the heading. Other addresses are only
// looked at: a test has no network.
func TestLinks(t *testing.T) {
	all := pages(t)
	links := 0
	for name, text := range all {
		for _, link := range linkTarget.FindAllStringSubmatch(prose(text), -1) {
			links++
			if why := broken(t, all, name, link[1]); why != "" {
				t.Errorf("%s links to %s: %s", name, link[1], why)
			}
		}
	}
	if links < 30 {
		t.Errorf("only %d links found", links)
	}
}

// broken says what is wrong with a link of a page, or "".
func broken(t *testing.T, all map[string]string, page, link string) string {
	if strings.HasPrefix(link, "http://") {
		return "an address without TLS"
	}
	if strings.Contains(link, ":") {
		return "" // https, mailto
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := page
	if file != "" {
		target = path.Join(path.Dir(page), file)
	}
	if strings.HasPrefix(target, "..") || strings.HasPrefix(file, "/") {
		return "it leads out of the repository"
	}
	if _, err := os.Stat(filepath.Join(moduleRoot(t), filepath.FromSlash(target))); err != nil {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	text, known := all[target]
	if !known {
		return "an anchor in what is no page"
	}
	if !anchors(text)[anchor] {
		return "there is no such heading"
	}
	return ""
}

// prose is a page without its code, in which brackets are no links.
func prose(text string) string {
	text = codeBlock.ReplaceAllString(text, "")
	return codeSpan.ReplaceAllString(text, "")
}

// anchors are the names that GitHub gives to the headings of a page.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		out[anchorOf(h[1])] = true
	}
	return out
}

// anchorOf is the anchor of a heading: small letters, digits, dashes and underscores, with a dash for each space.
func anchorOf(heading string) string {
	heading = linkText.ReplaceAllString(heading, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestBrokenLinksAreSeen(t *testing.T) {
	all := map[string]string{"docs/model.md": "# A `b`: c-d, e\n", "README.md": "## The folders\n"}
	for link, wrong := range map[string]bool{
		"model.md": false, "model.md#a-b-c-d-e": false, "#a-b-c-d-e": false, "../README.md#the-folders": false, "../docs/causes.md": false,
		"https://example.org/x": false, "http://example.org/x": true, "absent.md": true, "model.md#a": true, "../../x": true, "/etc/passwd": true,
	} {
		if why := broken(t, all, "docs/model.md", link); (why != "") != wrong {
			t.Errorf("%s: %q", link, why)
		}
	}
	if got := linkTarget.FindAllString(prose("[a](b) `[c](d)`\n```\n[e](f)\n```\n[g](h_(i))"), -1); len(got) != 2 {
		t.Errorf("found %q", got)
	}
}
