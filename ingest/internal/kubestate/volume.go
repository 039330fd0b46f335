package kubestate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// volumes says which claims are bound to which PersistentVolumes, what these are in the back end, and which pods use them.
func (r *reader) volumes() {
	handles := map[string]*track{}
	for _, t := range r.of["kube_persistentvolume_info"] {
		handles[t.get("persistentvolume")] = t
	}
	pvModes := r.modes("kube_persistentvolume_access_mode", func(t *track) string { return t.get("persistentvolume") })
	claimModes := r.modes("kube_persistentvolumeclaim_access_mode", claimOf)
	users := map[string][]*track{}
	for _, t := range r.of["kube_pod_spec_volumes_persistentvolumeclaims_info"] {
		users[claimOf(t)] = append(users[claimOf(t)], t)
	}
	for _, t := range r.of["kube_persistentvolumeclaim_info"] {
		pv := t.get("volumename")
		if pv == "" {
			continue
		}
		r.undated(model.VolumeBound, t, func(o *model.Observation) {
			o.Claim = claimRef(t)
			o.Object, o.Volume.PersistentVolume = o.Claim, pv
			if o.Access = pvModes[pv]; o.Access == nil {
				o.Access = claimModes[claimOf(t)]
			}
			for _, u := range users[claimOf(t)] {
				if overlap(t, u) {
					o.Pods = append(o.Pods, podOf(u))
				}
			}
		})
	}
	for _, t := range r.of["kube_persistentvolume_info"] {
		r.undated(model.VolumeBound, t, func(o *model.Observation) {
			o.Object = model.Ref{Kind: "PersistentVolume", Name: t.get("persistentvolume")}
			o.Volume = model.VolumeID{PersistentVolume: t.get("persistentvolume"), Driver: t.get("csi_driver"),
				Handle: t.get("csi_volume_handle")}.Complete()
			o.Access = pvModes[t.get("persistentvolume")]
		})
	}
}

func claimOf(t *track) string { return t.get("namespace") + "/" + t.get("persistentvolumeclaim") }

func claimRef(t *track) model.Ref {
	return model.Ref{Kind: "PersistentVolumeClaim", Namespace: t.get("namespace"), Name: t.get("persistentvolumeclaim")}
}

// modes are the access modes of each object.
func (r *reader) modes(family string, key func(*track) string) map[string][]string {
	out := map[string][]string{}
	for _, t := range r.of[family] {
		if mode := t.get("access_mode"); !slices.Contains(out[key(t)], mode) {
			out[key(t)] = append(out[key(t)], mode)
		}
	}
	return out
}

// overlap reports that two series have samples at one time.
func overlap(a, b *track) bool {
	for _, x := range a.runs {
		for _, y := range b.runs {
			if !x.from.After(y.to) && !y.from.After(x.to) {
				return true
			}
		}
	}
	return false
}

// usage says how full volumes were at the kubelet's last sample, which also proves that they were mounted on its node.
func (r *reader) usage() {
	for _, kind := range []struct{ what, used, of string }{
		{"bytes", "kubelet_volume_stats_used_bytes", "kubelet_volume_stats_capacity_bytes"},
		{"inodes", "kubelet_volume_stats_inodes_used", "kubelet_volume_stats_inodes"},
	} {
		capacity := map[string]*track{}
		for _, t := range r.of[kind.of] {
			capacity[claimOf(t)+"|"+nodeLabel(t)] = t
		}
		for _, t := range r.of[kind.used] {
			run := t.runs[len(t.runs)-1]
			of := capacity[claimOf(t)+"|"+nodeLabel(t)]
			if of == nil || t.cut {
				continue
			}
			if total := valueAt(of, run.to); total > 0 && run.value >= 0 && run.value <= total {
				r.used(t, of, run.to, kind.what, run.value, total)
			}
		}
	}
}

func (r *reader) used(t, of *track, at time.Time, what string, used, total float64) {
	quote := sample(used, at) + "; " + of.labels.String() + " " + sample(total, at)
	r.say(model.VolumeUsage, model.Exactly(at), t, at, quote, func(o *model.Observation) {
		o.Component, o.Node, o.Claim = "kubelet", nodeLabel(t), claimRef(t)
		o.Detail = fmt.Sprintf("%.0f%% of its %s", 100*used/total, what)
	})
}

// nodeLabel is the node of a kubelet's series: service discovery adds it as node, or as instance where that is no address.
func nodeLabel(t *track) string { return cmp.Or(t.get("node"), t.get("instance")) }
