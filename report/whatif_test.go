package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// answer is the answer to a question about the first incident of a report.
func whatIfAnswer(r *model.Report) *model.WhatIf {
	return &model.WhatIf{Schema: model.WhatIfVersion, Generator: r.Generator, Bundle: r.Bundle.Root,
		Asked:    []string{"out-of-service-taint at 06:16:51"},
		Incident: r.Incidents[0], Answer: r.Incidents[0].Remediations[1], Evidence: r.Evidence}
}

func whatIf(t *testing.T, format string, a *model.WhatIf) string {
	t.Helper()
	var b bytes.Buffer
	if err := WhatIfs.Write(&b, format, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIf(t *testing.T) {
	text := whatIf(t, "text", whatIfAnswer(rich()))
	for _, want := range []string{"WHAT IF: out-of-service-taint at 06:16:51", "as it was ", "14 min 1 s", "would be ", "11 min 40 s", "One column is",
		"Shortens by 2 min 22 s", "Data risk: none if verified", "Side effects: every pod on"} {
		if !strings.Contains(text, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	if proof, command := strings.Index(text, "to be proven first: "), strings.Index(text, "kubectl taint"); proof < 0 || command < proof {
		t.Errorf("proof at %d, command at %d", proof, command)
	}
	var back model.WhatIf
	if err := json.Unmarshal([]byte(whatIf(t, "json", whatIfAnswer(rich()))), &back); err != nil || back.Answer.ID != "out-of-service-taint" ||
		back.Schema != model.WhatIfVersion {
		t.Errorf("the JSON comes back as %+v, %v", back.Answer, err)
	}
	if err := WhatIfs.Write(&bytes.Buffer{}, "html", whatIfAnswer(rich())); err == nil || !strings.Contains(err.Error(), "text, json") {
		t.Errorf("an unknown format gives %v", err)
	}
}

// One scale: what ends sooner is shorter.
func TestWhatIfIsOnOneScale(t *testing.T) {
	long := map[string]int{}
	for l := range strings.Lines(whatIf(t, "text", whatIfAnswer(rich()))) {
		for _, name := range []string{"    as it was ", "    would be  "} {
			if bar, found := strings.CutPrefix(l, name); found {
				long[name] = strings.Index(bar, "  ")
			}
		}
	}
	if was, is := long["    as it was "], long["    would be  "]; was <= is || is <= 0 {
		t.Errorf("%v", long)
	}
}

func TestWhatIfIsSafeToPrint(t *testing.T) {
	a := whatIfAnswer(hostile())
	a.Asked = append(a.Asked, nasty)
	text := whatIf(t, "text", a)
	for _, bad := range []string{"\u202e", "\u200b", "\x00", "\x1b", "\xff"} {
		if strings.Contains(text, bad) {
			t.Errorf("the answer contains %q as it is", bad)
		}
	}
	if again := whatIf(t, "text", a); again != text {
		t.Error("two renderings differ")
	}
}
