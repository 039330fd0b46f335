// Package envelope finds the log messages in exports of log services: JSON documents of any depth and layout, JSON lines, and
// comma-separated tables. Amazon CloudWatch, Google Cloud Logging, Azure diagnostics and Log Analytics, Loki and Grafana, Elasticsearch,
// fluentd, stern and journald differ only in names and nesting of few members: message, time, writer. One walk serves them all.
//
// It knows no log syntax: what a message holds is package logline's to read.
package envelope
