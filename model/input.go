package model

import "time"

// Kinds of Input. A log kind is "log/" and the component that wrote it, or "log" when that is not known.
const (
	InputManifests = "manifests" // Kubernetes objects in YAML or JSON
	InputLog       = "log"
	InputAudit     = "audit"    // an API server's audit log
	InputText      = "text"     // pasted from a terminal: tables, descriptions, messages of events
	InputMetrics   = "metrics"  // series of metrics: a TSDB block, its parts, or text and JSON of Prometheus
	InputMetadata  = "metadata" // what a collector wrote about its own run
	InputIgnored   = "ignored"  // readable, but nothing that volpost uses, such as an application's own log
	InputEmpty     = "empty"
	InputUnread    = "unread" // could not be read; a Problem says why
)

// Input accounts for one file: Used + Skipped = Records. The absence of a statement counts only between From and To.
type Input struct {
	Path    string     `json:"path" text:"path"`
	Kind    string     `json:"kind" text:"keep"`
	Bytes   int64      `json:"bytes"`
	Records int        `json:"records"` // log records, or objects
	Used    int        `json:"used"`    // records that gave at least one statement or object
	Skipped int        `json:"skipped"`
	From    *time.Time `json:"from"`
	To      *time.Time `json:"to"`
	Clock   *Clock     `json:"clock,omitempty"`
	Cluster string     `json:"cluster,omitempty" text:"name:cluster"` // of several in the bundle the one that it is about; empty when nothing ties it to one
	// Clusters are those of a file of several, such as a central store of metrics. A field added within version 1 of the schema.
	Clusters []string `json:"clusters,omitempty" text:"name:cluster"`

	Floating  bool   `json:"-"` // From and To are in year 0, as if UTC, until the clocks are resolved
	Component string `json:"-"` // kube-controller-manager, external-attacher, kube-scheduler, kubelet, or ""
	// Container identity as the path or the content names it; empty when unknown.
	Namespace, Pod, Container string `json:"-"`
	// ZoneOffset is the offset of the log's own header from UTC, when a wrapper with a zone gave it.
	ZoneOffset *time.Duration `json:"-"`
}

// Cover widens the time that the input covers; a zero time widens nothing.
func (in *Input) Cover(times ...time.Time) {
	for _, t := range times {
		if t.IsZero() {
			continue
		}
		if in.From == nil || t.Before(*in.From) {
			in.From = new(t)
		}
		if in.To == nil || t.After(*in.To) {
			in.To = new(t)
		}
	}
}

// Clock explains how an input's times were placed on the one axis.
type Clock struct {
	Year              string  `json:"year,omitempty" text:"keep"`
	Zone              string  `json:"zone,omitempty" text:"quote"`
	Ages              string  `json:"ages,omitempty" text:"quote"` // a field added within version 1 of the schema: from when ages count back
	OffsetSeconds     float64 `json:"offsetSeconds"`
	OffsetUncertainty float64 `json:"offsetUncertainty"`
}

// Severity of a Problem.
type Severity string

// Info is worth knowing, a warning leaves something undecided, an error lost an input.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Failure Severity = "error"
)

// Problem is something that could not be read or understood, or that makes a statement less sure.
type Problem struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path" text:"path"`
	Line     int      `json:"line,omitempty"`
	Message  string   `json:"message" text:"message"`
}

// CutsShort reports that a problem ended the reading or the analysis of the whole bundle: what is not reported may still be so.
func (p Problem) CutsShort() bool { return p.Severity == Failure && p.Path == "." }

// NotCollected is something that the bundle lacks, what stays undecided because of it, and how to collect it.
type NotCollected struct {
	What        string `json:"what"`
	Consequence string `json:"consequence"`
	Command     string `json:"command,omitempty" text:"command"`
	// Also are other commands, each of which collects the same. What no command can know stands in capitals.
	Also []string `json:"also,omitempty" text:"command"`
}

// What stands in a command of NotCollected for the time that matters: milliseconds since 1970, and as RFC 3339.
const (
	StartMillis = "START-MS"
	EndMillis   = "END-MS"
	StartTime   = "START"
	EndTime     = "END"
	StepSeconds = "STEP"
)

// Unreadable is a path that the system did not let volpost read: what it holds is missing, and not uncollected.
type Unreadable struct {
	Path string `json:"path" text:"path"`
	Why  string `json:"why" text:"keep"` // as the system says, such as permission denied
	// Holds is what the path promises: a kind of object, a component whose log it is, HoldsAudit or HoldsMetrics; or "".
	Holds string `json:"holds,omitempty" text:"keep"`
}

// What an unreadable path can promise beside kinds and components.
const (
	HoldsAudit   = "audit"
	HoldsMetrics = "metrics"
	HoldsProse   = "prose" // it was read, and is no output of Kubernetes
)
