// Package table reads what people paste from a terminal: the tables of kubectl get and kubectl events, the output of
// kubectl describe, messages of events that stand alone, and the mount table of a node. It bears what copying does to them:
// quoting marks, fences, prompts, tabs, lost headers, shifted columns and wrapped lines.
//
// A terminal shows ages, not instants. An age becomes model.Observation.Age, with the precision that was shown; Place
// turns it into an instant once the time of collection is known. What an Event means is decided by package phrase.
package table
