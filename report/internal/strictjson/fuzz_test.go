package strictjson

import (
	"bytes"
	"testing"
	"time"
)

// FuzzCheck holds the answers for any text against those of encoding/json and of a complete library, by both schemas.
func FuzzCheck(f *testing.F) {
	whole := `{"schema": "v1", "list": [` + item + `, {"in": {"id": "b/c", "at": "2024-02-29T23:59:59.123+01:00", "line": 1.0e0}}], "any": {}}`
	for _, seed := range []string{whole, `{"schema": "v1", "list": [{"id": "\u0061", "at": "2026-11-21t06:06:60z", "seconds": -0.5E-7}]}`,
		`{"schema": "volpost/report/v1", "verdict": {"status": "clean"}, "SCHEMA": [true, false, null]}`, `[[[["\ud83d\ude00\"` + "\xff", "{}{}"} {
		f.Add([]byte(seed))
	}
	schemas := []both{compile(f, small), report(f)}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, b := range schemas {
			b.compare(t, data)
		}
	})
}

// FuzzTime: what usualTime takes, Go decodes; and what Go decodes, the complete library takes, so that this package refuses
// nothing less than the schema does.
func FuzzTime(f *testing.F) {
	for _, seed := range []string{"2026-11-21T06:06:51Z", "2026-11-21T06:06:51.686Z", "2026-02-29T06:06:51.Z", "2024-02-29T24:00:00+24:00", "2026-11-21T6:06:51Z"} {
		f.Add(seed)
	}
	b := compile(f, `{"type": "string", "format": "date-time"}`)
	f.Fuzz(func(t *testing.T, s string) {
		if usualTime([]byte(s)) && !isTime(s) {
			t.Errorf("%q is usual and no time", s)
		}
		if isTime(s) && b.theirs.Validate(s) != nil {
			t.Errorf("%q is a time and not by the schema", s)
		}
		if _, err := time.Parse(time.RFC3339Nano, s); isTime(s) && err != nil {
			t.Errorf("%q: %v", s, err)
		}
	})
}

// BenchmarkCheck reads a list as it is in reports: indented, of small objects.
func BenchmarkCheck(b *testing.B) {
	schema, err := Compile([]byte(small))
	if err != nil {
		b.Fatal(err)
	}
	one := "    {\n      \"id\": \"a\",\n      \"at\": \"2026-11-21T06:06:51.686Z\",\n      \"line\": 17,\n      \"text\": \"Multi-Attach error for volume\"\n    }"
	data := []byte("{\n  \"schema\": \"v1\",\n  \"list\": [\n" + one + string(bytes.Repeat([]byte(",\n"+one), 10_000)) + "\n  ]\n}\n")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if out, fault := schema.Check(data, usual); fault != nil || out.Breach != nil {
			b.Fatal(fault, out.Breach)
		}
	}
}
