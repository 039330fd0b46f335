package report

import (
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/film"
)

// htmlFilm is what the page's script needs to show an incident at an instant. Everything is said here, in the words that
// package film finds in the report: the script only looks up the last change before the instant.
type htmlFilm struct {
	Zero     int64        `json:"zero"`     // the first Multi-Attach report, in milliseconds since 1970, or since T
	Instants []int64      `json:"instants"` // when something changes, in milliseconds from zero; the first and the last bound the clock
	Phases   []filmPhase  `json:"phases"`
	Tracks   []*filmTrack `json:"tracks"`
}

// filmPhase is a stretch of the clock.
type filmPhase struct {
	ID    string `json:"id"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Paint string `json:"paint"`
}

// filmTrack is one object, or one thing that the controller goes by, over time.
type filmTrack struct {
	Label   string       `json:"label"`
	Shape   string       `json:"shape,omitempty"` // id of the object in the drawing
	Drawn   string       `json:"drawn,omitempty"` // the state as it is drawn
	Changes []filmChange `json:"changes"`
}

// filmChange is when a state began, in milliseconds from zero; the state; and how it is shown beside its words.
type filmChange [3]any

// How a state is shown: as what the reader looks for, or as that of an object which is not there.
const (
	filmHot    = "hot"
	filmAbsent = "absent"
)

// filmInstants is how many changes a page takes of one incident: more are a loop, and a report of many sources.
const filmInstants = 600

// newHTMLFilm asks a film for every instant of the incident's span at which something changes. It is nil where nothing does.
func newHTMLFilm(r *model.Report, in *incidentView, part picture, prefix string) *htmlFilm {
	f := film.New(r, &in.Incident)
	out := &htmlFilm{Zero: epoch(f.Zero)}
	ms := func(t time.Time) int64 { return t.UnixMilli() - f.Zero.UnixMilli() }
	for _, p := range in.Phases {
		out.Phases = append(out.Phases, filmPhase{string(p.ID), ms(p.From.At), ms(p.To.At), paint(p.ID)})
	}
	tracks := map[string]*filmTrack{}
	for _, at := range instants(f) {
		out.Instants = append(out.Instants, ms(at))
		for _, s := range spoken(f, f.At(at)) {
			t := tracks[s.key]
			if t == nil {
				t = &filmTrack{Label: s.label}
				t.Shape, t.Drawn = drawn(part, prefix, s.object)
				tracks[s.key] = t
				out.Tracks = append(out.Tracks, t)
			}
			t.add(ms(at), s.word, s.show)
		}
	}
	if len(out.Instants) < 2 {
		return nil
	}
	return out
}

// instants are those of a film that lie in the span, with its beginning; two within a millisecond are the later one.
func instants(f *film.Film) []time.Time {
	out := []time.Time{f.From}
	for _, at := range f.Instants() {
		last := len(out) - 1
		switch {
		case !at.After(f.From) || at.After(f.To):
		case at.Sub(out[last]) < time.Millisecond && last > 0:
			out[last] = at
		case len(out) < filmInstants:
			out = append(out, at)
		}
	}
	return out
}

// add notes a state when it differs from the one before.
func (t *filmTrack) add(at int64, word, show string) {
	if last := len(t.Changes) - 1; last >= 0 && t.Changes[last][1] == word && t.Changes[last][2] == show {
		return
	}
	t.Changes = append(t.Changes, filmChange{at, word, show})
}

// spokenState is one thing at one instant, in words.
type spokenState struct {
	key, label string
	object     model.Ref // in the drawing; zero for what is not drawn
	word, show string
}

// spoken puts a state into words: who has the volume, who waits, and what the controller has to go by.
func spoken(f *film.Film, s film.State) []spokenState {
	volume := f.Incident.Volume.PersistentVolume
	out := []spokenState{{key: "volume", label: "Volume", object: model.Ref{Kind: "PersistentVolume", Name: volume}, word: holderWords(s.Holder)}}
	for _, p := range s.Pods {
		label := "Old pod "
		if p.New {
			label = "New pod "
		}
		word, show := podWords(p)
		out = append(out, spokenState{"pod " + p.Ref.Key() + p.Ref.UID, label + oneLine(p.Ref.String()), p.Ref, word, show})
	}
	for _, n := range s.Nodes {
		word, show := nodeWords(n)
		out = append(out, spokenState{"node " + n.Name, "Node " + oneLine(n.Name), model.Ref{Kind: "Node", Name: n.Name}, word, show})
	}
	for _, a := range s.Attachments {
		word, show := attachmentWords(a, s.Waits)
		out = append(out, spokenState{"attachment " + a.Name, "VolumeAttachment " + shorten(oneLine(a.Name), labelColumns), model.Ref{Kind: "VolumeAttachment", Name: a.Name}, word, show})
	}
	return append(out, spokenState{key: "timer", label: "Timer of the forced detach", word: timerWords(s.Timer)})
}

func holderWords(h film.Holder) string {
	switch {
	case !h.Known:
		return "where it is attached is not told"
	case h.Node == "":
		return "attached to no node"
	}
	return "attached to " + oneLine(h.Node)
}

// notTold is said of an object of which the report tells nothing by then.
const notTold = "nothing is told of it yet"

func podWords(p film.Pod) (word, show string) {
	switch {
	case !p.Exists:
		return "not created yet", filmAbsent
	case p.Told == nil && p.Waits:
		return "waits for the volume", filmHot
	case p.Told == nil:
		return notTold, ""
	case p.Told.Word == "gone" || p.Told.Word == "replaced":
		return p.Told.Word, filmAbsent
	case p.Waits:
		return "waits for the volume; " + p.Told.Word, filmHot
	case p.Freed != nil:
		return p.Told.Word + "; no longer counted as a user of the volume", ""
	}
	return p.Told.Word, ""
}

func nodeWords(n film.Node) (word, show string) {
	if n.Ready == nil && len(n.Marks) == 0 {
		return notTold, ""
	}
	var parts []string
	if n.Ready != nil {
		parts = append(parts, n.Ready.Word)
		switch n.Ready.Word {
		case "NotReady":
			show = filmHot
		case "deleted":
			show = filmAbsent
		}
	}
	for _, m := range n.Marks {
		parts = append(parts, oneLine(m.Word))
	}
	return strings.Join(parts, "; "), show
}

func attachmentWords(a film.Attachment, waits bool) (word, show string) {
	switch {
	case a.Told == nil:
		return notTold, filmAbsent
	case a.Told.Word == "gone":
		return a.Told.Word, filmAbsent
	case a.Blocking && waits:
		return "blocks the volume; " + a.Told.Word, filmHot
	}
	return a.Told.Word, ""
}

// timerWords say since when the timer counts, not how far: that changes with every second.
func timerWords(t film.Timer) string {
	if t.Word != film.TimerRuns || t.Since == nil {
		return string(t.Word)
	}
	text := "runs since " + timeOfDay(*t.Since)
	if t.Again {
		text = "begun anew, " + text
	}
	if t.Limit > 0 {
		text += "; force detach after " + seconds(t.Limit.Seconds())
	}
	return text
}

// drawn finds an object in a drawing: the id of its shape, and the text of its state.
func drawn(part picture, prefix string, object model.Ref) (shape, state string) {
	if object.Name == "" {
		return "", ""
	}
	for i, n := range part.Nodes {
		if object.Is(model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}) {
			if n.State != "" {
				state = stateText(n)
			}
			return shapeID(prefix, i), state
		}
	}
	return "", ""
}
