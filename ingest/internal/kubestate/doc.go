// Package kubestate reads the metrics of kube-state-metrics 1.9.0 to 2.20.0 as statements (docs/metrics of each tag). A series is the
// sampled state of an object, so that a change lies between two samples. Values that are times are exact to a second.
//
// It also reads what kube-controller-manager and kubelets count: forced detaches, operations of each driver, process starts, volume usage.
package kubestate
