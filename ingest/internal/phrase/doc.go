// Package phrase holds the tables of meaning: what the lines of one component's log and the reasons of Kubernetes Events say, as
// observations. One file per component of Kubernetes; a row is a wording, the versions that have it, and the fields that it names.
//
// It knows no syntax (package logline does) and compares no two statements.
package phrase
