// Package model is the vocabulary of volpost: what a source said (Observation, Object), how sure and how exact that is
// (Moment, Basis, Range), where it stands (Source), and what was made of it (Incident, Cause, Report).
//
// It orders, compares and formats its own values. It reads no file, knows no rule of the attach/detach controller, and
// imports no other package of the module. The JSON report is the Report type; its promise is the schema "volpost/report/v1".
package model
