package html

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/graphviz"
	"github.com/volpost/volpost/report/internal/view"
)

// The page is complete when the engine fails, also by a panic of its own: it says so, and has the objects as a tree.
func TestPageWithoutEngine(t *testing.T) {
	v := view.New(rich())
	h := htmlIncident{IncidentView: v.Incident[0], Chart: &chart{}}
	failing := func(context.Context, string) (string, error) { return "", errors.New("no <memory>") }
	h.drawGraph(failing, v.PictureOf(v.Incident))
	if h.SVG != "" || !strings.Contains(h.NoSVG, "Not drawn: drawing the objects: no <memory>") || !strings.Contains(h.Tree, "└─ Pod shop/") {
		t.Errorf("a failed drawing gives %q, %q, %q", h.SVG, h.NoSVG, h.Tree)
	}
	for name, raw := range map[string]string{
		"nothing": "", "no svg": "<g/>", "no size": "<svg></svg>", "cut short": `<svg viewBox="0 0 9 9"><g>`,
		"no XML": "<svg viewBox=\"0 0 9 9\">&bad;</svg>",
	} {
		given := func(context.Context, string) (string, error) { return raw, nil }
		if svg, err := drawing.Draw(given, v.PictureOf(v.Incident), "x", "Objects", false); err == nil {
			t.Errorf("%s: %q is a drawing", name, svg)
		}
	}
}

// A drawing without an object is none; of many incidents few are drawn, which the page says.
func TestPageWithoutDrawing(t *testing.T) {
	h := htmlIncident{IncidentView: view.New(rich()).Incident[0]}
	h.drawGraph(graphviz.SVG, view.Picture{})
	if h.SVG != "" || h.NoSVG == "" {
		t.Errorf("a failed drawing gives %q, %q", h.SVG, h.NoSVG)
	}
	crowd := render(t, many(20))
	if drawings := strings.Count(crowd, `<div class="graph`); drawings != 1 {
		t.Errorf("%d drawings of one group of 20 incidents, whose story is told once", drawings)
	}
}
