package model

import "time"

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
	Part     bool      // it is a file of rules, and its server may have more; else an answer, which is whole
}

// ActiveAlert is an alert that a server had when it was asked.
type ActiveAlert struct {
	Labels []Label   // sorted by name; alertname is among them
	State  string    // pending or firing
	At     time.Time // since when its expression has had a result
	For    string    // how long that has to last before it fires, as Prometheus writes durations; "" for not at all, or when unknown
	Input  string    // Path of the Input
}
