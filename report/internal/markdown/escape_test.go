package markdown

import "testing"

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"plain at 06:12:40 UTC":   "plain at 06:12:40 UTC",
		"a_b*c":                   `a\_b\*c`,
		"@you and #12":            "@<!-- -->you and #<!-- -->12",
		"see http://x.example/":   "see http:<!-- -->//x.example/",
		"www.x.example and gh-12": "www<!-- -->.x.example and gh<!-- -->-12",
		":tada: :100:":            ":<!-- -->tada: :<!-- -->100:",
		"<i> & |":                 `&lt;i&gt; &amp; \|`,
		"two\nlines":              `two\\nlines`,
	} {
		if got := prose(in); got != want {
			t.Errorf("prose(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "`": "`` ` ``", "a|b": "`a\\|b`", "": "unknown",
		"a``b`": "``` a``b` ```"} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestWiki(t *testing.T) {
	for in, want := range map[string]string{
		"plain at 06:12:40 UTC, 40s (39.3s–40.3s)":   "plain at 06:12:40 UTC, 40s (39.3s–40.3s)",
		"ip-10-0-131-75.eu-west-1":                   "ip-10-0-131-75.eu-west-1",
		"a_b and _c_ -d- --":                         `a_b and \_c\_ \-d\- \-\-`,
		"ADMIN-1 A1-2 x-1":                           `ADMIN\-1 A1\-2 x-1`,
		"[~admin] [x|http://e.example]":              `\[\~admin\] \[x\|http&#58;//e.example\]`,
		"@you me@e.example !i.png!":                  `\@you me\@e.example \!i.png\!`,
		"{color:red}x{color} {noformat}":             `\{color:red\}x\{color\} \{noformat\}`,
		"mailto:x www.e.example":                     "mailto&#58;x www&#46;e.example",
		"shop/orders-data: worker-1, data:text/html": "shop/orders-data: worker-1, data&#58;text/html",
		`\\server\share c:\x`:                        `&#92;&#92;server&#92;share c&#58;&#92;x`,
		":) ;) (y) (*) (off)":                        `&#58;) &#59;) &#40;y) &#40;\*) &#40;off)`,
		"h1. big":                                    "h1&#46; big",
		"# one":                                      `\# one`,
		"&#64; <b>":                                  `&amp;\#64; <b>`,
		"a\nb":                                       `a&#92;nb`,
	} {
		if got := wiki(in); got != want {
			t.Errorf("wiki(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}
