package view

// Main is the incident that the top of a page speaks of: the one of the headline, else the first that is more than an ordinary
// hand-over.
func (v *View) Main() *IncidentView {
	if in := v.IncidentOf[v.Verdict.Incident]; in != nil {
		return in
	}
	for _, in := range v.Incident {
		if len(in.Causes) == 0 || in.Causes[0].ID != "handover" {
			return in
		}
	}
	if len(v.Incident) > 0 {
		return v.Incident[0]
	}
	return nil
}
