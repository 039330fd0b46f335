// Package alert holds the alerting rules that volpost recommends for volumes that cannot move, and the popular ones that
// they replace. The expressions are over the metrics of kube-state-metrics, whose labels differ between its versions and
// with the way it is scraped: a Setup says which.
//
// Sources: kube-state-metrics v1.9.0 to v2.20.0 (internal/store/*.go, docs/metrics), the scrape configurations of
// kube-prometheus, the prometheus-community charts and OpenShift's cluster-monitoring-operator, and the results of
// Prometheus' own engine over series of those generators.
package alert
