// Package replay is a model of the control loops between the loss of a node, or the deletion of a pod, and the moment at
// which the pod's replacement is Ready with its volume: eviction, pod GC, the attach/detach controller, the
// external-attacher and the kubelet's retries. It replays one incident as it was, to measure its own error, and with
// something changed, to say what that would have been worth.
//
// Times are seconds from the scenario's zero; what never happens is at +Inf. What the evidence cannot tell, such as the
// position in a loop of 20 s, is drawn: a prediction is the range over a fixed set of draws, so that equal inputs give
// equal predictions. docs/model.md lists the rules with their sources and the measured error.
package replay
