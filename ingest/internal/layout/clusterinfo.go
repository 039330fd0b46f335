package layout

// clusterInfoPlace knows kubectl cluster-info dump: <ns>/<pod>/logs.txt joins the logs of a pod. Its lists say what they are.
func clusterInfoPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	if n < 3 || parts[n-1] != "logs.txt" {
		return Place{}, false
	}
	return Place{Role: Log, Root: join(parts[:n-3]), Namespace: parts[n-3], Pod: parts[n-2]}, true
}
