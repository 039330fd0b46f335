package model

import "time"

// Over what a rule was run: series that the bundle holds, or series made of the reconstructed timeline.
const (
	OverMetrics     = "metrics"
	OverSynthesised = "synthesised"
)

// Alert is an alerting rule run over metrics. Fields from Line on were added within version 1 of the schema.
type Alert struct {
	Name      string   `json:"name"`
	Origin    string   `json:"origin" text:"quote"`
	Expr      string   `json:"expr" text:"quote"`
	For       string   `json:"for,omitempty" text:"keep"`
	Severity  string   `json:"severity,omitempty" text:"quote"` // as the rule's label says
	Result    string   `json:"result" text:"keep"`
	Firings   []Firing `json:"firings,omitempty"`
	Note      string   `json:"note,omitempty"`
	Corrected string   `json:"corrected,omitempty" text:"quote"`

	Line          int    `json:"line,omitempty"` // of the rule in the file that Origin names
	KeepFiringFor string `json:"keepFiringFor,omitempty" text:"keep"`
	Parses        bool   `json:"parses"` // the expression is PromQL
	// Over is OverMetrics or OverSynthesised; a rule that was run over both, for different incidents, is listed twice.
	Over          string     `json:"over,omitempty" text:"keep"`
	Sources       []string   `json:"sources,omitempty" text:"quote"` // Paths of the MetricSources that it was run over
	EvaluatedFrom *time.Time `json:"evaluatedFrom,omitempty"`
	EvaluatedTo   *time.Time `json:"evaluatedTo,omitempty"`
	// Recorded is when an alert of this name fired by the series ALERTS, which the server writes of its own rules.
	Recorded []Firing `json:"recorded,omitempty"`
}

// Firing is one interval in which an alert fired. Fields from BeforeEndSeconds on were added within version 1 of the schema.
type Firing struct {
	From        time.Time         `json:"from"`
	To          *time.Time        `json:"to"`
	Labels      map[string]string `json:"labels,omitempty" text:"quote"`
	Incident    *string           `json:"incident"`
	LeadSeconds *float64          `json:"leadSeconds"`

	// BeforeEndSeconds is how long before the end of Multi-Attach it began; negative after it, nil while that has no end.
	BeforeEndSeconds *float64 `json:"beforeEndSeconds,omitempty"`
	// ActiveBefore says that the condition held at the first evaluation: with older samples it may have fired earlier.
	ActiveBefore bool     `json:"activeBefore,omitempty"`
	Evidence     []string `json:"evidence,omitempty"` // the samples that made it fire
}

// MetricSeries is a series of the bundle that shows a part of an incident, as raw samples. Samples of one value in a row are one run.
type MetricSeries struct {
	Incident string      `json:"incident"`
	About    string      `json:"about"`               // what it shows, such as "Ready of the old node"
	Metric   string      `json:"metric" text:"keep"`  // its name
	Series   string      `json:"series" text:"quote"` // with all labels, as PromQL writes it
	Path     string      `json:"path" text:"path"`    // of the MetricSource
	Runs     []MetricRun `json:"runs"`
	Evidence []string    `json:"evidence"`
}

// MetricRun is consecutive samples of one value, from the first to the last.
type MetricRun struct {
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Value   float64   `json:"value"` // finite
	Samples int       `json:"samples"`
}

// RuleGroup is a group of rules of a rule file or a PrometheusRule, which are evaluated one after the other.
type RuleGroup struct {
	Name     string
	Interval string // between evaluations, as Prometheus writes durations; "" for the server's own
	Rules    []Rule
}

// Rule is an alerting rule, with Alert, or a recording rule, with Record.
type Rule struct {
	Alert, Record      string
	Expr               string
	For, KeepFiringFor string  // as Prometheus writes durations; "" for none
	Labels             []Label // of the rule and, where it has none of that name, of its group; sorted by name. Values are templates
	Line               int     // of the file, at which the text of Expr begins; 0 when unknown
}

// RuleFile is the rules of one file or of one object of a bundle.
type RuleFile struct {
	Path     string // as the user named it, or inside the bundle
	Groups   []RuleGroup
	Problems []Problem // what of it cannot be used
}

// ActiveAlert is an alert that a server had when it was asked.
type ActiveAlert struct {
	Labels []Label   // sorted by name; alertname is among them
	State  string    // pending or firing
	At     time.Time // since when its expression has had a result
	For    string    // how long that has to last before it fires, as Prometheus writes durations; "" for not at all, or when unknown
	Input  string    // Path of the Input
}
