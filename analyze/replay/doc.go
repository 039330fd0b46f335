// Package replay models the control loops from a node's loss or a pod's deletion until the replacement is Ready with the volume:
// eviction, pod GC, attach/detach controller, external-attacher and kubelet. It replays an incident as it was, to measure its own error,
// and with changes, to tell what they are worth.
//
// Times are seconds from the scenario's zero, +Inf for never. What the evidence leaves open, such as the position in a loop, is drawn: a
// prediction is the range over a fixed set of draws. docs/model.md lists the rules with sources and measured error.
package replay
