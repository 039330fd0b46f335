// Package series reads metrics in every form that a bundle holds them: blocks of a time series database, and the text and
// JSON that Prometheus and promtool write. It gives each server's series as a model.MetricSource, with the labels of the
// exporter: what scraping added or renamed is undone. It knows labels, not what a metric means.
//
// Nothing is written beside the evidence and nothing is locked: a block is mapped where it lies.
package series
