package reconstruct

import (
	"strings"
)

// sameReplicas compares the names that a ReplicaSet or ReplicationController gives its pods: <owner>-<five characters>.
func sameReplicas(a, b string) bool {
	oa, sa, ok := cutLast(a)
	ob, sb, ok2 := cutLast(b)
	return ok && ok2 && oa == ob && len(sa) == podSuffix && len(sb) == podSuffix && generated(sa) && generated(sb)
}

// sameDeployment compares the names that a Deployment gives its pods: <deployment>-<template hash>-<five characters>.
func sameDeployment(a, b string) bool {
	da, ok := deploymentOf(a)
	db, ok2 := deploymentOf(b)
	return ok && ok2 && da == db
}

// podSuffix is the length of the random suffix of generated names (apiserver names.SimpleNameGenerator).
const podSuffix = 5

// deploymentOf cuts the two generated parts off a pod's name.
func deploymentOf(pod string) (string, bool) {
	rs, suffix, ok := cutLast(pod)
	if !ok || len(suffix) != podSuffix || !generated(suffix) {
		return "", false
	}
	deployment, hash, ok := cutLast(rs)
	if !ok || len(hash) < 6 || len(hash) > 10 || !generated(hash) {
		return "", false
	}
	return deployment, true
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// generated reports whether every character is of the alphabet of generated names (apimachinery util/rand).
func generated(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("bcdfghjklmnpqrstvwxz2456789", r) {
			return false
		}
	}
	return s != ""
}
