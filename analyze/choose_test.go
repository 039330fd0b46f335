package analyze

import (
	"errors"
	"strings"
	"testing"
)

func TestChooseIncident(t *testing.T) {
	all := []IncidentNames{
		{"i-1", "shop/db", "pvc-1"}, {"i-2", "shop/cache", "pvc-2"}, {"i-3", "shop/db", "pvc-1"}, {"i-4", "", "pvc-4"}, {"i-5", "back/cache",
			"pvc-5"}, {"i-6", "x/y", "pvc-6"},
	}
	for name, want := range map[string]int{
		"1": 0, "i-3": 2, "shop/cache": 1, "back/cache": 4, "pvc-4": 3, "y": 5,
		"7": -1, "": -1, "shop/db": -1, "db": -1, "cache": -1, "pvc-1": -1, "shop": -1, "/": -1,
	} {
		got, err := ChooseIncident(all, name)
		var because *QuestionError
		if want < 0 && !(errors.As(err, &because) && strings.Contains(because.Hint, "2, i-2 or shop/cache") && strings.Contains(because.Hint,
			"and 1 more")) || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: %d, %v; want %d", name, got, err, want)
		}
	}
	if got, err := ChooseIncident(all[:1], ""); err != nil || got != 0 {
		t.Errorf("the only one: %d, %v", got, err)
	}
	if _, err := ChooseIncident(nil, "1"); err == nil {
		t.Error("one of none is found")
	}
	// What an error prints as a name is one.
	_, err := ChooseIncident(all[1:4], "")
	var because *QuestionError
	if !errors.As(err, &because) {
		t.Fatal(err)
	}
	for n, choice := range strings.Split(strings.TrimPrefix(because.Hint, "--incident names one: "), "; ") {
		for name := range strings.SplitSeq(strings.Replace(choice, " or ", ", ", 1), ", ") {
			if got, err := ChooseIncident(all[1:4], name); err != nil || got != n {
				t.Errorf("%q of %q: %d, %v", name, because.Hint, got, err)
			}
		}
	}
}
