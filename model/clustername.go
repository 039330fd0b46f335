package model

import (
	"path"
	"strings"
)

// ClusterName is how people know one of several clusters of a bundle: by the directory that holds what was collected of it and nothing of
// another, or by the context that its commands name, else by its identifier.
func ClusterName(cluster string, inputs []Input) string {
	if context, ok := strings.CutPrefix(cluster, "context "); ok {
		return context
	}
	dirs := map[string]string{} // cluster → the directory that all of its files share
	for _, in := range inputs {
		if in.Cluster == "" {
			continue
		}
		dir := path.Dir(strings.NewReplacer(`\`, "/", "!", "/").Replace(in.Path)) + "/"
		if was, ok := dirs[in.Cluster]; ok {
			dir = shared(was, dir)
		}
		dirs[in.Cluster] = dir
	}
	own := dirs[cluster]
	above := own // what all clusters share
	for _, dir := range dirs {
		above = shared(above, dir)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(own, above), "/")
	if name == "" || name == "." {
		return cluster
	}
	for other, dir := range dirs {
		if first, _, _ := strings.Cut(strings.TrimPrefix(dir, above), "/"); other != cluster && first == name {
			return cluster
		}
	}
	return name
}

// shared is the directory, with the slash behind it, that two have in common.
func shared(a, b string) string {
	for !strings.HasPrefix(b, a) {
		a = a[:strings.LastIndexByte(strings.TrimSuffix(a, "/"), '/')+1]
	}
	return a
}
