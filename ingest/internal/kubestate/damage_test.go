package kubestate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// damaged is a source of which the series that contain a text end with an error after some samples.
func damaged(src model.MetricSource, text string, after int) model.MetricSource {
	whole := src.Select
	src.Select = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return whole(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			if !strings.Contains(l.String(), text) {
				return each(l, samples)
			}
			return each(l, func(yield func(model.Sample, error) bool) {
				n := 0
				for s := range samples {
					if n++; n > after {
						break
					}
					if !yield(s, nil) {
						return
					}
				}
				yield(model.Sample{}, errors.New("block b, series "+l.String()+": cannot be read to its end: checksum mismatch"))
			})
		})
	}
	return src
}

const fading = `
kube_node_info{node="a"} 1 1 1 1 1
kube_node_info{node="b"} 1 1 1 1 1
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 1 - -
kube_node_spec_taint{node="a",key="k"} 1 1 1 1 1
kube_volumeattachment_info{volumeattachment="csi-1",node="a",attacher="d"} 1 1 1 1 1
kube_volumeattachment_created{volumeattachment="csi-1"} 900 900 900 900 900
kube_volumeattachment_status_attached{volumeattachment="csi-1"} 1 1 1 1 1`

// A series that cannot be read to its end tells of nothing that has gone away.
func TestDamageIsNoEnd(t *testing.T) {
	src := scraped(t, fading)
	if got := told(readOne(src)); !strings.Contains(got, "pod-gone db-0") || !strings.Contains(got, "node-sampled-taints a k") ||
		strings.Contains(got, "attachment-gone") {
		t.Fatalf("whole: %s", got)
	}
	for _, c := range []struct{ series, never string }{
		{`kube_volumeattachment_info`, "attachment-gone"},
		{`kube_node_info{node="a"`, "node-deleted"},
		{`kube_pod_info`, "pod-gone"},
		{`kube_node_spec_taint`, "node-sampled-taints"},
	} {
		r := readOne(damaged(src, c.series, 2))
		if got := told(r); strings.Contains(got, c.never) {
			t.Errorf("%s is damaged, and yet: %s", c.series, got)
		}
		if len(r.Damage) != 1 || !strings.Contains(r.Damage[0], c.series) || !strings.Contains(r.Damage[0], "block b") ||
			!strings.Contains(r.Damage[0], "not known") {
			t.Errorf("%s: told of the damage: %q", c.series, r.Damage)
		}
	}
}

// Where the series after a damaged one cannot be found, a metric tells of nothing that has gone away.
func TestDamagedIndexIsNoEnd(t *testing.T) {
	src := scraped(t, fading)
	whole := src.Select
	src.Select = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		if err := whole(matchers, from, to, each); err != nil {
			return err
		}
		if matchers[0].Value == "kube_pod_info" {
			return errors.New("block b: the index is damaged")
		}
		return nil
	}
	r := readOne(src)
	if got := told(r); strings.Contains(got, "pod-gone") ||
		!strings.Contains(strings.Join(r.Damage, "\n"), "which other series of kube_pod_info there are is not known") {
		t.Errorf("%s\n%q", got, r.Damage)
	}
}
