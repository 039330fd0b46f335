// Package logline reads the syntax of Kubernetes component logs: klog text (printf and structured), the JSON format of
// --logging-format=json, and the wrappers that collectors and container runtimes put around either (CRI, docker
// json-file, an RFC 3339 prefix). A Scanner yields one record at a time with bounded memory, whatever the input.
//
// It knows no meaning: which line matters, and what it says of volumes or nodes, is package phrase's.
package logline
