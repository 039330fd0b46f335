package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// TestReadRendersTheSame: what was read renders byte for byte as what was written, in every format.
func TestReadRendersTheSame(t *testing.T) {
	for _, c := range fixtures() {
		if c.name == "crowd" {
			continue // many of many
		}
		back, err := Read(strings.NewReader(of(t, "json", c.name, c.report)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, f := range Formats() {
			if got := render(t, f.Name, back); got != of(t, f.Name, c.name, c.report) {
				t.Errorf("%s: %s is rendered otherwise from JSON", c.name, f.Name)
			}
		}
	}
}

// No format may use what JSON does not hold.
func TestNormalLeavesOutWhatJSONDoes(t *testing.T) {
	r := rich()
	r.Bundle.Inputs[0].Component, r.Bundle.Inputs[0].Floating = "kubelet", true
	if in := view.Normal(r, words.Visible, nil).Bundle.Inputs[0]; in.Component != "" || in.Floating || in.Path == "" {
		t.Errorf("%+v", in)
	}
}
