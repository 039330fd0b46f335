// Package alert holds the alerting rules that volpost recommends for volumes that cannot move, and the popular ones that they replace. The
// labels of kube-state-metrics differ by version and scrape configuration: a Setup says which.
//
// Sources: kube-state-metrics v1.9.0 to v2.20.0 (internal/store, docs/metrics), the scrape configurations of kube-prometheus, the
// prometheus-community charts and OpenShift's cluster-monitoring-operator, and results of Prometheus' engine over such series.
package alert
