package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	commonmodel "github.com/prometheus/common/model"

	"github.com/volpost/volpost/model"
)

// ruleHead begins Prometheus' answers about rules and alerts (web/api/v1, 2.0–3.15); a must-gather has the former since OpenShift 4.8.
var ruleHead = regexp.MustCompile(`^\s*\{\s*"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"(groups|alerts)"\s*:`)

// managerHead begins the alerts of an Alertmanager (api/v2/alerts, 0.16–0.28), which amtool prints, too, or what it sends to a webhook.
var managerHead = regexp.MustCompile(`^\s*\[\s*\{[^\[\]]*?"(?:fingerprint|startsAt)"\s*:|` +
	`^\s*\{\s*"receiver"\s*:\s*"[^"]*"\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"alerts"\s*:`)

// IsRuleAnswer reports whether a file begins as an answer of /api/v1/rules or /api/v1/alerts, or as one of an Alertmanager.
func IsRuleAnswer(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && (ruleHead.Match(text) || managerHead.Match(text))
}

type ruleAnswer struct {
	Data struct {
		Groups []struct {
			Name     string
			Interval float64 // seconds, as all of its durations
			Rules    []answeredRule
		}
		Alerts []answeredAlert
	}
}

type answeredRule struct {
	Type, Name, Query       string
	Duration, KeepFiringFor float64
	Labels                  map[string]string
	Alerts                  []answeredAlert
}

type answeredAlert struct {
	Labels   map[string]string
	State    string
	ActiveAt time.Time
}

// managedAlert is one of an Alertmanager, which knows only such as fire. What it sends has those, too, that have ended.
type managedAlert struct {
	Labels   map[string]string
	Status   any // an object in its API, a word in what it sends
	StartsAt time.Time
}

// managedAlerts reads those.
func managedAlerts(data []byte, path string) ([]model.ActiveAlert, error) {
	var sent struct{ Alerts []managedAlert }
	into := any(&sent.Alerts)
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		into = &sent
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, fmt.Errorf("is an answer of Alertmanager that cannot be read: %w", err)
	}
	var out []model.ActiveAlert
	for _, a := range sent.Alerts {
		if a.Status == "resolved" {
			continue
		}
		out = append(out, model.ActiveAlert{Labels: sortedLabels(a.Labels), State: "firing", At: a.StartsAt.UTC(), For: "0s", Input: path})
	}
	return out, nil
}

// ReadRuleAnswer reads an answer of /api/v1/rules or /api/v1/alerts: the rules, and the alerts active then. Its error is a sentence.
func ReadRuleAnswer(data []byte, path string) (model.RuleFile, []model.ActiveAlert, error) {
	out := model.RuleFile{Path: path}
	if !ruleHead.Match(data) {
		active, err := managedAlerts(data, path)
		return out, active, err
	}
	var a ruleAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return out, nil, fmt.Errorf("is an answer of Prometheus about rules that cannot be read: %w", err)
	}
	var active []model.ActiveAlert
	for _, g := range a.Data.Groups {
		group := model.RuleGroup{Name: g.Name, Interval: seconds(g.Interval)}
		for _, r := range g.Rules {
			group.Rules = append(group.Rules, r.model())
			active = append(active, activeAlerts(r.Alerts, seconds(r.Duration), path)...)
		}
		out.Groups = append(out.Groups, group)
	}
	return out, append(active, activeAlerts(a.Data.Alerts, "", path)...), nil
}

func (r answeredRule) model() model.Rule {
	out := model.Rule{Expr: r.Query, For: seconds(r.Duration), KeepFiringFor: seconds(r.KeepFiringFor), Labels: sortedLabels(r.Labels)}
	if r.Type == "recording" {
		out.Record = r.Name
	} else {
		out.Alert = r.Name
	}
	return out
}

func activeAlerts(list []answeredAlert, lasting, path string) []model.ActiveAlert {
	var out []model.ActiveAlert
	for _, a := range list {
		out = append(out, model.ActiveAlert{Labels: sortedLabels(a.Labels), State: a.State, At: a.ActiveAt.UTC(), For: lasting, Input: path})
	}
	return out
}

func sortedLabels[S ~string](of map[string]S) []model.Label {
	var out []model.Label
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, model.Label{Name: name, Value: string(of[name])})
	}
	return out
}

// seconds is a duration as Prometheus writes it; "" for none.
func seconds(s float64) string {
	if s <= 0 || s > maxDuration {
		return ""
	}
	return commonmodel.Duration(s * float64(time.Second)).String()
}
