package ingest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// labelled are the labels by which an expression's result names an object, the most telling first.
var labelled = []struct{ label, kind string }{
	{"volumeattachment", "VolumeAttachment"}, {"pod", "Pod"}, {"persistentvolumeclaim", "PersistentVolumeClaim"},
	{"volumename", "PersistentVolume"}, {"persistentvolume", "PersistentVolume"}, {"node", "Node"},
}

// expressions say of the results of expressions, which name no metric, what objects they are about: what their values mean only the
// author of the query knows.
func (p *part) expressions(list []series.Unnamed) {
	var out []model.Observation
	for _, u := range list {
		if u.Labels.Get(model.MetricName) == series.AlertsMetric {
			p.alerts(u)
			continue
		}
		o := model.Observation{Kind: model.ObjectShown, Count: 1, Input: p.input.Path}
		var also []string
		for _, k := range labelled {
			name := u.Labels.Get(k.label)
			switch {
			case name == "":
			case o.Object.Name == "":
				o.Object = model.Ref{Kind: k.kind, Name: name}
				if slices.Contains([]string{"Pod", "PersistentVolumeClaim"}, k.kind) {
					o.Object.Namespace = u.Labels.Get("namespace")
				}
			default:
				also = append(also, k.label+"="+name)
			}
		}
		if o.Object.Name == "" {
			continue
		}
		for _, name := range []string{"reason", "phase", "condition"} {
			if text := u.Labels.Get(name); text != "" {
				also = append(also, name+"="+text)
			}
		}
		value := strconv.FormatFloat(u.Value, 'f', -1, 64)
		if !u.At.IsZero() {
			o.At = model.Exactly(u.At)
		}
		o.Last, o.Detail = o.At, strings.Join(append(also, "value="+value), ", ")
		o.Source = model.Source{Kind: model.SourceMetric, Path: p.input.Path, Series: u.Labels.String()}
		o.Quote = mask.Quote(u.Labels.String() + " " + value)
		out = append(out, o)
	}
	if len(out) > 0 {
		p.Observations = append(p.Observations, p.affordable(out)...)
		p.counts(len(out), len(out))
	}
}

// alerts takes a sample of the series in which Prometheus records its own alerts.
func (p *part) alerts(u series.Unnamed) {
	a := model.ActiveAlert{State: u.Labels.Get("alertstate"), Input: p.input.Path}
	for _, l := range u.Labels {
		if l.Name != model.MetricName && l.Name != "alertstate" {
			a.Labels = append(a.Labels, l)
		}
	}
	if u.Value == 1 {
		p.ActiveAlerts = append(p.ActiveAlerts, a)
		p.counts(1, 1)
	}
}
