// Package envelope finds the log messages in what log services export: JSON documents of any depth and layout, JSON lines,
// and comma-separated tables. Amazon CloudWatch, Google Cloud Logging, Azure diagnostics and Log Analytics, Loki and
// Grafana, Elasticsearch, fluentd, stern and journald differ only in the names and the nesting of a few members: the
// message, its time, and who wrote it. One walk serves them all.
//
// It knows no log syntax: what a message holds is package logline's to read.
package envelope
