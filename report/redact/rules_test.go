package redact

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestClasses has segments at the borders of what they can be.
func TestClasses(t *testing.T) {
	for in, want := range map[string]class{
		"0": digits, "123456789012": digits, "": digits, "abc": word, "12345a": hexed, "abcde1": hexed, "abcdef": word, "12ab": word, "1234ag": word,
		"x2x4z": hashed, "bcdfg": hashed, "56659c7b56": hexed, "7f9c6d5b8": hexed, "56659c7x56": hashed, "56659c7x566": word, "bcdfgh": word, "x2x4": word,
		"x2x4zx": hashed, "x2a4z": word, "x2x40": word, "bcdf2": hashed, "bcdfx2": hashed,
	} {
		if got := classOf(in); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]spelling{"a": small, "worker-1": small, "WORKER": capitals, "A": mixed, "AB": capitals, "Worker": title, "wOrker": mixed,
		"WOrker": mixed, "1": small, "É": mixed, "éa": small, "Éa": title, "ÉA": capitals, "ß": small, "İ": mixed} {
		if got := spellingOf(in); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]string{"abc": "abc", "": ""} {
		for sp, form := range map[spelling]func(string) string{small: strings.ToLower, capitals: strings.ToUpper} {
			if got := sp.as(in); got != form(want) {
				t.Errorf("%s as %d: %s", in, sp, got)
			}
		}
	}
	if got := title.as("élan"); got != "Élan" {
		t.Error(got)
	}
	for _, c := range []struct {
		class     class
		length, n int
		want      string
	}{{word, 1, 0, "a"}, {word, 2, 0, "aa"}, {word, 3, 27, "nbb"}, {word, 9, 1, "nodebbbbb"}, {word, 9, 27, "nodebbxxx"}, {digits, 1, 0, "00"}, {digits,
		4, 12, "0210"},
		{digits, 6, 12, "021000"}, {hexed, 6, 17, "110fff"}, {hexed, 6, 1, "100fff"}, {hashed, 5, 1, "ccccc"}, {hashed, 5, 21, "ccbxx"}, {hashed, 2, 0, "bb"}} {
		if got := pseudonym(c.class, c.length, c.n, "node"); got != c.want {
			t.Errorf("class %d, length %d, %d: %s, want %s", c.class, c.length, c.n, got, c.want)
		}
	}
	for n, want := range map[int]string{0: "a", 1: "b", 9: "j", 10: "ab", 99: "jj", 100: "aab"} {
		if got := count(n, "abcdefghij"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestPieces splits texts: what is a run, and what an escape has of it.
func TestPieces(t *testing.T) {
	show := func(list []piece) string {
		var out []string
		for _, p := range list {
			if p.run {
				out = append(out, "<"+p.text+">")
			} else {
				out = append(out, p.text)
			}
		}
		return strings.Join(out, "")
	}
	for in, want := range map[string]string{
		"a-1.b_c": "<a-1.b_c>", "-a-": "-<a>-", "a- b": "<a>- <b>", `\na`: `\n<a>`, `\x41a`: `\x41<a>`, `\x4-`: `\x4-`, `\u0041b`: `\u0041<b>`, `\101b`: `\101<b>`,
		`\u004`: `\u004`, `a\b`: `<a>\b`, "": "", "..": "..", "é-ß": "<é-ß>", "a…b": "<a>…<b>", `\9a`: `\9<a>`,
	} {
		if got := show(pieces(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"a-1": "<a>-<1>", "a--b": "<a>--<b>", "-a": "-<a>", "a-": "<a>-", "": "", "-": "-", "abc": "<abc>"} {
		if got := show(segments(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]bool{"1": true, "a": true, "123": true, "1234": false, "ab": false, "1a": false, "12": true} {
		if got := ordinal(in); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	for in, want := range map[string]int{"ip-10.ec2.internal": 3, "a.internal": 1, "internal": 1, "a-internal": 3, "a.b": 3, "svc.cluster.local": 1,
		"a.svc.b.local": 5} {
		if got := hostEnd(segments(in), false); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
	}
	if hostEnd(segments("internal"), true) != -1 || hostEnd(segments("x"), true) != 1 || hostEnd(segments("x.internal"), true) != 1 ||
		hostEnd(segments("svc.internal"), true) != -1 {
		t.Error("the end of a longer name")
	}
	if !formal(segments("web-pvc"), 2, true) || formal(segments("web-pvc"), 2, false) || formal(segments("pvc-web-x"), 2, true) ||
		!formal(segments("vol-0a1b2c"), 0, false) || formal(segments("vol-web"), 0, false) || formal(segments("disk-0a1b2c"), 0, false) ||
		formal(segments("web-vol-0a1b2c"), 2, false) {
		t.Error("what says of what form a name is")
	}
}

// TestUnits has each form of a unit, and what is one digit away from it.
func TestUnits(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	for in, want := range map[string]unitKind{
		"31fb72ec-e764-4857-81b4-80e9d77edda8": uuidUnit, digest: digestUnit, "e-7475a8d6bfac": idUnit, "0a:1b:2c:3d:4e:5f": macUnit,
		strings.Repeat("0a:", 19) + "0b": macUnit, "50:01:43:80:12:34:56:78": ipv6Unit, "fe80::1": ipv6Unit, "::1": noUnit, "::": noUnit, "10.0.0.1": ipv4Unit,
		"10-0-0-1": ipv4Unit, "127.0.0.1": noUnit, "0.0.0.0": noUnit, "300.0.0.1": noUnit, "127-0-0-1": noUnit, "1:2": noUnit,
	} {
		if got := unitOf(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"at 10.0.0.1 it": "10.0.0.1", "x10.0.0.1": "", "10.0.0.1x": "", "1.10.0.0.1": "", "10.0.0.1.1": "", "10.0.0.1.": "10.0.0.1", "-10.0.0.1": "10.0.0.1",
		"a-10.0.0.1-b": "10.0.0.1", "10.0.0.1-2": "", ":fe80::1": "", "fe80::1:": "", `\n10.0.0.1`: "10.0.0.1", "é10.0.0.1": "", "e-7475a8d6bfac1": "",
		"e-7475a8d6bfa": "", digest + "0": "", digest[1:]: "", "31fb72ec-e764-4857-81b4-80e9d77edda8a": "", "(fe80::1)": "fe80::1",
		"xe-7475a8d6bfac": "", "0a:1b:2c:3d:4e:5f:": "", "0a:1b:2c:3d:4e:5f": "0a:1b:2c:3d:4e:5f", "4-3-2-1": "4-3-2-1",
	} {
		from, to, _ := unitAt(in)
		if got := in[from:to]; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for _, c := range []struct {
		kind unitKind
		name string
		n    int
		want string
	}{{uuidUnit, "x", 17, "00000011-0000-4000-8000-000000000011"}, {digestUnit, "x", 17, "00000011" + strings.Repeat("0", 56)}, {idUnit, "e-1", 17,
		"e-000000000017"},
		{ipv4Unit, "10.1.22.3", 17, "00.0.01.7"}, {ipv4Unit, "10.1.22.3", 1234567, "fd00::12d687"}, {macUnit, "0a:1b:2c:3d:4e:5f", 17, "00:00:00:00:00:11"},
		{ipv6Unit, "fe80::1", 17, "0001::1"}, {ipv6Unit, "fe80::1", 1 << 20, "fd00::100000"}, {ipv6Unit, "fe80::1", 1<<20 - 1, "ffff::f"},
		{ipv4Unit, "10.1.22.3", 999999, "99.9.99.9"}} {
		if got := c.kind.fresh(c.name, c.n); got != c.want {
			t.Errorf("%s %d: %s, want %s", c.kind, c.n, got, c.want)
		}
	}
	for in, want := range map[string]unitKind{"fe80::1": ipv6Unit, "10.0.0.1": ipv4Unit, "10-0-0-1": ipv4Unit, "10-0-0": noUnit, "a": noUnit,
		"1234-1-1-1": noUnit} {
		if got := formOf(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	for in, want := range map[string]int{"0aFg": 3, "": 0, "g": 0, "01234": 4, "/": 0, ":": 0, "A`": 1, "@": 0, "G": 0} {
		if got := hexRun(in, 4); got != want {
			t.Errorf("%s: %d", in, got)
		}
	}
}

// TestSurroundings asks of the run x of a quote, between what stands before and after it, whether it is a name.
func TestSurroundings(t *testing.T) {
	for _, c := range []struct {
		in   string
		name bool
	}{
		{"node=storage", true}, {"node storage", false}, {`"node":"storage"`, true}, {"node='storage'", true}, {"node(storage)", true}, {"mode=storage", false},
		{"node=storage=1", false}, {"node=storage:", false}, {"metadata.name: storage", true}, {"metadata.mode: storage", false}, {"node=-storage", false},
		{"pods/storage", true}, {"pods-storage/x", true}, {"modes/storage", false}, {`pods "storage" not found`, true}, {`modes "storage" not found`, false},
		{"key=storage/x", true}, {"key=storage", false}, {"pod storage", true}, {"pod was", false}, {"pod created", false}, {"pod mounting", false},
		{"disk storage-backup", true}, {"disk storage is", false}, {"s3://storage", true}, {"s3:/storage", false},
		{"storage:/export", true}, {"storage://export", false}, {"storage@host", true}, {"x@storage", true}, {"x@sha256", false},
		{"storage became leader", true}, {"storage stopped leading", true}, {"storage became ready", false}, {"storage stopped leader", false},
		{"arn:aws:iam::storage", true}, {"arn:aws:iam::role", false}, {"arn:aws storage", false}, {"kubernetes.io~csi/storage", true},
		{"kubernetes.io~csi storage", false},
		{"serviceaccount:storage", true}, {"serviceaccount:default:storage", true}, {"serviceaccount=default storage", false},
		{`nodes=[storage backup]`, true}, {`nodes=[storage] backup`, false}, {`nodes=["storage","backup"]`, true}, {`nodes="storage" backup`, false},
		{"node=storage, backup", false}, {"node=storage/backup", true}, {"account 123456789012", true}, {"it is 123456789012", true},
		{"it is 1234567890123", false},
		{"disk 12345", true}, {"disk 1234", false}, {"it is 12345", false}, {"disk: 12345", true}, {"disk= 12345", true}, {"pod(s) storage", false},
	} {
		out, _ := Of(&model.Report{Evidence: []model.Evidence{{Text: c.in}}})
		got := out.Evidence[0].Text
		words := strings.FieldsFunc(c.in, func(r rune) bool { return !alnum(r) })
		last := words[len(words)-1]
		for _, w := range words {
			if w == "storage" && !strings.Contains(c.in, "backup") {
				last = w
			}
		}
		if gone := !strings.Contains(got, last); gone != c.name {
			t.Errorf("%s became %s", c.in, got)
		}
	}
}

// TestOfCollectors has parts of paths that are no names, and those that are.
func TestOfCollectors(t *testing.T) {
	for in, want := range map[string]bool{"namespaces": true, "pods.yaml": true, "a": true, "a.log": true, "kube_pod_info": true, "web": false,
		"web.tar.gz": false,
		"12":         true, "v1.30": true, "web-1": false, "2026-11-21": true, "audit.log.gz": true} {
		if got := ofCollectors(in); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	for in, want := range map[string]string{"a.tar.gz": "a", "a.log.gz": "a", ".gz": ".gz", "a-.gz": "a-.gz", "a.gzip": "a.gzip", "a": "a"} {
		if got := withoutExtensions(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	for _, s := range []string{"1", "12345678", "1.5e3", "10m0.5s", "5Gi", "3rd", "2026-11", "2026-11-21T06", "2026-11-21T06-12-40Z", "20261121T061240Z",
		"2026_11_21",
		"40.084123Z", "I1121", "v1.34.3", "1.29.4-gke.1", "v1beta1", "0x1f", "reconciler.go"} {
		if !plain.MatchString(s) {
			t.Errorf("%s is a name", s)
		}
	}
	for _, s := range []string{"10mm", "5Gib5", "I112", "v1.34.x", "0xg", "go", "a-1", "3026-11"} {
		if plain.MatchString(s) {
			t.Errorf("%s is no name", s)
		}
	}
}

// TestMark has what each format ends with, and that the key takes it away.
func TestMark(t *testing.T) {
	const of = rootPrefix + "0123456789ab"
	for format, want := range map[string]string{"csv": "", "json": "", "dot": "\n// Names are pseudonyms of " + of + ".\n",
		"html": "\n<!-- Names are pseudonyms of " + of + ". -->\n", "svg": "\n<!-- Names are pseudonyms of " + of + ". -->\n",
		"md": "\nNames are pseudonyms of " + of + ".\n"} {
		k := Key{Of: of, Root: "bundle", Names: []Name{{Pseudonym: "nodeaa", Name: "worker"}}}
		if got := Mark(format, of); got != want {
			t.Errorf("%s: %q", format, got)
		}
		if back, err := k.Text("a nodeaa\n" + Mark(format, of)); err != nil || back != "a worker\n" && want != "" {
			t.Errorf("%s comes back as %q, %v", format, back, err)
		}
	}
}
