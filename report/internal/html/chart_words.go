package html

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/film"
)

// nodeWord is a node's state. After its last sign of life a node that is found lost is unreachable, although its object says Ready still.
func nodeWord(f *film.Film, n film.Node, s film.State) (string, chartLook, model.Moment) {
	suffix := ""
	for _, m := range n.Marks {
		if strings.Contains(m.Word, "out-of-service") {
			suffix = ", out of service"
		}
	}
	beat, lost := lastBeat(f, n.Name, s.At)
	switch {
	case n.Ready != nil && n.Ready.Word == "deleted":
		return "deleted", lookGone, n.Ready.Since
	case n.Ready != nil && n.Ready.Word == "NotReady":
		return "NotReady" + suffix, lookHot, n.Ready.Since
	case lost && beat != nil && !s.At.Before(beat.At):
		return "unreachable", lookGoing, *beat
	case n.Ready != nil:
		return n.Ready.Word + suffix, lookFine, n.Ready.Since
	case n.Heard != nil || lost && beat != nil:
		return "heard of", lookComing, model.Moment{}
	}
	return notReported, lookUnknown, model.Moment{}
}

// lastBeat is the last sign of life before a node's next change, and whether that change is its loss.
func lastBeat(f *film.Film, node string, now time.Time) (beat *model.Moment, lost bool) {
	for e := range f.About(model.Ref{Kind: "Node", Name: node}, 0, len(f.Events)) {
		switch e.Kind {
		case model.NodeHeartbeat:
			beat = &e.At
		case model.NodeReady, model.NodeNotReady, model.NodeDeleted:
			if e.At.At.After(now) {
				return beat, e.Kind == model.NodeNotReady
			}
		}
	}
	return beat, false
}

// podWord is a pod's state, of a new pod with what it waits for.
func podWord(f *film.Film, p film.Pod, now time.Time) (string, chartLook, model.Moment) {
	ended := f.Incident.MultiAttach.Ended
	switch {
	case !p.Exists:
		return "", lookNone, model.Moment{}
	case p.Status == nil && !p.Waits:
		return notReported, lookUnknown, model.Moment{}
	case p.Status != nil && (p.Status.Word == "gone" || p.Status.Word == "replaced"):
		return "gone", lookGone, p.Status.Since
	case p.Status != nil && p.Status.Word == "finished":
		return p.Status.Word, lookGone, p.Status.Since
	case p.Status != nil && p.Status.Word == "being evicted":
		return "Terminating", lookGoing, p.Status.Since // the eviction is a deletion
	case p.Status != nil && (p.Status.Word == "Terminating" || p.Status.Word == "containers stopped"):
		return p.Status.Word, lookGoing, p.Status.Since
	case p.Waits:
		return "waits for the volume", lookHot, model.Moment{}
	case p.Status.Word == "Ready":
		return p.Status.Word, lookFine, p.Status.Since
	case p.New && ended != nil && !now.Before(ended.At):
		return "starts", lookComing, model.Moment{}
	case p.Status.Word == "not Ready" && !p.New:
		return p.Status.Word, lookHot, p.Status.Since
	}
	return map[bool]string{true: "created", false: p.Status.Word}[p.Status.Word == "not Ready"], lookComing, p.Status.Since
}

// attachmentWord is a VolumeAttachment's state: not there before the event of its creation, and unknown where there is none.
func attachmentWord(f *film.Film, a film.Attachment, s film.State) (string, chartLook, model.Moment) {
	if a.Status == nil {
		if namedLater(f, s, a.Name, model.AttachmentCreated) {
			return "", lookNone, model.Moment{}
		}
		return notReported, lookUnknown, model.Moment{}
	}
	look, word := lookFine, a.Status.Word
	switch {
	case word == "gone":
		look = lookGone
	case word == "being deleted":
		look = lookGoing
	case word == "exists" && a.Blocking && !namedLater(f, s, a.Name, model.AttachmentAttached, model.AttacherAttached):
		word = "holds the volume"
	case word == "exists":
		word, look = "attaching", lookComing
	}
	if a.Blocking && s.Waits && look == lookFine {
		word, look = word+", blocking", lookHot
	}
	return word, look, a.Status.Since
}

// namedLater reports whether events of some kinds name a VolumeAttachment after a state.
func namedLater(f *film.Film, s film.State, name string, kinds ...model.Kind) bool {
	for e := range f.About(model.Ref{Kind: "VolumeAttachment", Name: name}, s.Happened, len(f.Events)) {
		if slices.Contains(kinds, e.Kind) {
			return true
		}
	}
	return false
}

func holderWord(h film.Holder) (string, chartLook) {
	switch {
	case !h.Known:
		return notReported, lookUnknown
	case h.Node == "":
		return "attached to no node", lookGone
	}
	return "attached to " + words.Shorten(words.OneLine(h.Node), chartName), lookFine
}

// leaderWord says whether a kube-controller-manager leads. One that begins to lead while another does is a new one.
func leaderWord(past iter.Seq[*film.Event]) (word string, look chartLook, since model.Moment) {
	const once = 10 * time.Second // within which several sources report one change; another leader waits longer
	word, look = notReported, lookUnknown
	leaders := 0
	for e := range past {
		switch e.Kind {
		case model.LeaderAcquired:
			if look == lookHot || leaders == 0 || e.At.At.Sub(since.At) > once {
				leaders++
				word, look, since = "leader "+strconv.Itoa(leaders), lookFine, e.At
			}
		case model.ControllerStarted:
			if leaders == 0 {
				leaders, word, look, since = 1, "leader 1", lookFine, e.At
			}
		case model.LeaderLost, model.ControllerStopped:
			word, look, since = "no leader", lookHot, e.At
		}
	}
	return word, look, since
}
