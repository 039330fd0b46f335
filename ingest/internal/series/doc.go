// Package series reads metrics in every form: blocks of a time series database, and text and JSON of Prometheus and promtool. Each server's
// series become a model.MetricSource with the labels of the exporter, without those that scraping added. It knows labels, not metrics.
// Nothing is written or locked: a block is mapped where it lies.
package series
