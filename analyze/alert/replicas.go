package alert

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// maxReplicas bounds how often rules are run over one source.
const maxReplicas = 8

// replicas makes a source for each replica that writes into a common store (Thanos, Mimir), without the labels by which they differ.
func replicas(all []model.MetricSource) []model.MetricSource {
	var out []model.MetricSource
	for _, m := range all {
		found := replicasIn(m)
		if len(found) < 2 || len(found) > maxReplicas {
			out = append(out, m)
			continue
		}
		for _, own := range found {
			one := m
			one.Select = ofReplica(m.Select, own)
			if m.Scraped != nil {
				one.Scraped = ofReplica(m.Scraped, own)
			}
			out = append(out, one)
		}
	}
	return out
}

// replicasIn are the labels of each replica on the series of an exporter that gives objects no such labels.
func replicasIn(m model.MetricSource) []model.Labels {
	var out []model.Labels
	if m.Select == nil {
		return nil
	}
	for _, metric := range decides {
		// A series that cannot be read has its labels all the same.
		_ = m.Select([]model.Matcher{named(metric)}, time.Time{}, time.Time{}, func(l model.Labels, _ model.Samples) error {
			own, _ := split(l)
			if own != nil && !slices.ContainsFunc(out, func(o model.Labels) bool { return o.Compare(own) == 0 }) {
				out = append(out, own)
			}
			if len(out) > maxReplicas {
				return errEnough
			}
			return nil
		})
	}
	return out
}

// split takes the labels of a replica from those of a series.
func split(l model.Labels) (own, rest model.Labels) {
	for _, x := range l {
		if model.IsReplicaLabel(x.Name) && x.Value != "" {
			own = append(own, x)
		} else {
			rest = append(rest, x)
		}
	}
	return own, rest
}

// ofReplica selects what a replica has, and what is of none.
func ofReplica(all selector, replica model.Labels) selector {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return all(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			own, rest := split(l)
			if own != nil && own.Compare(replica) != 0 {
				return nil
			}
			return each(rest, samples)
		})
	}
}
