package layout

// clusterInfoPlace knows the logs of kubectl cluster-info dump: <ns>/<pod>/logs.txt, which joins the logs of all
// containers of a pod. Its lists, <ns>/events.json and the like, say what they are themselves.
func clusterInfoPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	if n < 3 || parts[n-1] != "logs.txt" {
		return Place{}, false
	}
	return Place{Role: Log, Root: join(parts[:n-3]), Namespace: parts[n-3], Pod: parts[n-2]}, true
}
