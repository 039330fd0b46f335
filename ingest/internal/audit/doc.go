// Package audit reads Kubernetes audit logs (audit.k8s.io/v1 and its betas) into observations: which requests created, deleted, evicted,
// bound, tainted or patched the pods, nodes and VolumeAttachments that a Multi-Attach incident is made of, and who sent them.
//
// It reads the API server's own file, one event on a line, also behind the prefixes of oc adm node-logs, container
// runtimes and CloudWatch, an EventList, and events inside the envelopes of Google Cloud Logging, AKS diagnostics,
// CloudWatch and Elasticsearch. Lines that cannot matter are left out by their bytes, before any of them is decoded.
//
// A request is a fact when it was answered with success, was no dry run, and its event is that of the stage ResponseComplete. Its meaning
// comes from the bodies that the audit policy kept; at level Metadata a deletion has its name, time and user, but a patch says nothing.
package audit

import "time"

// Bounds, and names that Kubernetes gives.
const (
	maxMessage    = 1024 // bounds an error text
	maxSkew       = 10 * time.Second
	lokiValues    = "values"                // holds pairs of a time and of a line, which is a string that holds the event
	maxLayers     = 3                       // how many envelopes are opened, one inside the other
	stageComplete = "ResponseComplete"      // the only stage whose event says how a request ended
	maxName       = 256                     // bounds what is kept of a user's name and of an agent. Kubernetes itself sets no bound
	component     = "kube-apiserver"        // who writes audit logs
	maxStatements = 64                      // bounds the texts remembered of one object: an error text may differ each time
	maxPrefix     = 512                     // how much text may stand before an event on its line: a time, a node, a stream's name
	podGC         = "pod-garbage-collector" // the controller that deletes the pods of lost nodes
	bufferSize    = 256 << 10               // that of the reader; longer lines are collected apart
	maxSeen       = 1 << 16                 // bounds the requests that are remembered to recognise copies
	maxQuote      = 1024                    // how much of an event is quoted: stage, request, user, client and object stand in its beginning
)
