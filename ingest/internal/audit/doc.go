// Package audit reads Kubernetes audit logs (audit.k8s.io/v1 and its betas) into observations: which requests created,
// deleted, evicted, bound, tainted or patched the pods, nodes and VolumeAttachments that a Multi-Attach incident is made
// of, and who sent them.
//
// It reads the API server's own file, one event on a line, also behind the prefixes of oc adm node-logs, container
// runtimes and CloudWatch, an EventList, and events inside the envelopes of Google Cloud Logging, AKS diagnostics,
// CloudWatch and Elasticsearch. Lines that cannot matter are left out by their bytes, before any of them is decoded.
//
// A request is a fact when it was answered with success, was no dry run, and its event is that of the stage
// ResponseComplete. What a request meant is taken from the bodies that the audit policy kept; at level Metadata a
// deletion has its name, time and user, but a patch tells nothing.
package audit
