// Package kubestate reads the metrics of kube-state-metrics as statements: each series is the state of an object, sampled at
// every scrape, so that a change lies between two samples. Values that are times, such as kube_pod_created, are exact to a
// second. It compares no two objects.
//
// What the kube-controller-manager and the kubelets count is read beside it: forced detaches, attaches and detaches of each
// driver, the start of a process, and how full volumes are.
//
// Names, labels and emission of the metrics are those of kube-state-metrics 1.9.0 to 2.20.0 (docs/metrics of each tag).
package kubestate
