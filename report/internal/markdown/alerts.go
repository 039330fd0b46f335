package markdown

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/report/internal/view"
)

// alerts says in one paragraph which rules fired first for the incident, and which of the cluster's own cannot.
func (m *comment) alerts(v *view.View, in *view.IncidentView) {
	var fired []string
	for _, r := range v.AlertRows() {
		if r.Origin == "seed" || r.Result != "fired" {
			continue
		}
		for _, f := range r.Firings {
			if f.Incident == nil || *f.Incident != in.ID || f.LeadSeconds == nil {
				continue
			}
			name := m.code(r.Name)
			if r.Origin == "builtin" && r.Severity == "critical" {
				name += " (critical)"
			}
			fired = append(fired, name+" "+m.prose(view.Lead(*f.LeadSeconds)))
			break
		}
	}
	if len(fired) == 0 {
		return
	}
	const most = 4
	if more := len(fired) - most; more > 0 {
		fired = append(fired[:most], fmt.Sprintf("and %d more", more))
	}
	m.line("")
	m.line(m.bold("Alerts") + " that would have fired, against the beginning of Multi-Attach: " + strings.Join(fired, ", ") + ".")
}
