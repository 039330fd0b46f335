package view

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Answer is what a report says in ten seconds. Each format for people draws it first, and folds everything else.
type Answer struct {
	State    AnswerState
	Chip     string // the state, and how long it lasted: "RESOLVED · 14 min 14 s"
	Open     bool   // not known to have ended: what is to be done is to be done now
	Lasted   string // "14 min 14 s"; "" where not known
	When     string // from when to when, with the date where one is known
	Headline string // who suffers, what, how long, on which node
	Why      string // may be empty
	Compared string // another replica of the same loss that was treated differently; may be empty
	Incident *IncidentView
	Bar      []PhaseView
	Held     *holder // nil where nothing is known to hold a volume
	Sure     sureness
	Advice   *AdviceView // nil where the report has none
	Tense    string      // the head of the steps: "DO NOW", or that it would have helped and when
	Steps    []StepBlock
	Banners  []string // problems that change the answer
	Others   []Other  // what else there is to look at
	Objects  []string // without an incident: the objects of the findings, as a tree
	About    []string // the names that the answer is about, each with what it is; without an incident, what the input shows
	Ignored  []string // files of a small input that nothing was read of, each with the reason
}

// AnswerState is what a reader has to know before anything else. It is a class of the page, too.
type AnswerState string

// resolved: it is over. blocked: it was not over at the collection, or nothing shows its end. handover: nothing but ordinary
// moves. fault: no such wait, but something else keeps a pod from its volume or an object stuck. clean: nothing was reported, and it
// would have shown. unknown: what was read decides nothing.
const (
	StateResolved AnswerState = "resolved"
	StateBlocked  AnswerState = "blocked"
	StateHandover AnswerState = "handover"
	StateFault    AnswerState = "fault"
	StateClean    AnswerState = "clean"
	StateUnknown  AnswerState = "unknown"
)

// holder is what kept the volume where it was.
type holder struct {
	Attachment string // whole name; "" where none is known
	Short      string // the name, shortened in the middle
	None       string // why there is no name
	Node       string
	Driver     string
	Because    string // what the controller waited for; "" where not known
	Unasked    string // then: that the object in the bundle shows no request to delete it
	Inferred   bool   // that it was there
}

// sureness is how far the answer is established.
type sureness struct {
	Verdict string   // confirmed, likely or undecidable; "" without an incident
	Sources []string // files that it rests on
	Missing []string // what was not collected, or would have decided it
}

// Other is something else that a reader has to know of. Anchor is its place in the page.
type Other struct{ Text, Anchor string }

// Answer is the answer of the report. It is made anew at each call.
func (v *View) Answer() Answer {
	in := v.Main()
	a := Answer{Headline: v.Verdict.Headline, Why: v.Verdict.Why, Incident: in, State: v.answerState(in)}
	if in != nil {
		a.Open = a.State == StateBlocked || v.Verdict.Open
		a.Lasted, a.When = LastedText(in.Incident), WhenText(in.Incident)
		a.Bar = in.Story().Bars
		if ad := in.Incident.Advice; ad != nil && ad.Compared != nil {
			a.Compared = words.Capital(words.OneLine(ad.Compared.Text))
		}
		if refused := len(in.Causes) > 0 && in.Causes[0].ID == model.CauseAttachFailing; a.State != StateHandover && a.State != StateFault && !refused { // nothing was wrong with what held it
			a.Held = heldBy(in)
		}
	}
	v.addFault(&a)
	a.Chip = v.chip(a)
	a.Sure = v.sureness(in)
	v.addSteps(&a)
	a.Banners, a.Others = v.banners(), v.others(in)
	a.Objects, a.About, a.Ignored = v.FindingsTree(), v.about(in), v.ignored()
	return a
}

func (v *View) answerState(in *IncidentView) AnswerState {
	switch {
	case v.Verdict.Status == model.StatusClean:
		return StateClean
	case v.Verdict.Status == model.StatusFault:
		return StateFault
	case v.Verdict.Status == model.StatusInsufficient || in == nil:
		return StateUnknown
	case v.Verdict.Status == model.StatusHandover:
		return StateHandover
	case in.Span.Open || in.MultiAttach.Ended == nil:
		return StateBlocked
	}
	return StateResolved
}

// chip is the state in capitals with how long it lasted.
func (v *View) chip(a Answer) string {
	with := func(word, text string) string {
		if text == "" {
			return word
		}
		return word + " · " + text
	}
	switch a.State {
	case StateClean:
		return "CLEAN"
	case StateUnknown:
		return "CANNOT TELL"
	case StateFault:
		if a.Incident != nil {
			return "STILL DOWN" // the volume has moved, and its mount fails
		}
		return with("FAULT", strings.TrimPrefix(a.Lasted+words.If(a.Lasted != "", " at the collection"), " "))
	case StateHandover:
		return with("HAND-OVER", a.Lasted)
	case StateResolved:
		return with(cmp.Or(words.If(a.Incident.Resolved, "RESOLVED"), "VOLUME MOVED"), a.Lasted)
	}
	if v.endUnknown(a) {
		forced := words.If(a.Incident.Kind == model.KindForcedDetach, "DETACH BY FORCE") // of which no pod is known to wait
		return cmp.Or(words.If(v.Verdict.Over, "LIKELY OVER"), forced, "BLOCKED") + " · end unknown"
	}
	return with("STILL BLOCKED", strings.TrimPrefix(a.Lasted+" at the collection", " "))
}

// endUnknown says that it is not known whether a wait whose end is not seen goes on: neither its span nor a known time of the collection.
func (v *View) endUnknown(a Answer) bool {
	at := v.Bundle.CapturedAt
	observed := at != nil && at.Basis == model.Observed
	return a.State == StateBlocked && !(a.Incident.Span.Open && observed)
}

// LastedSeconds is the length of an incident: its span as far as one is known, else the wait since the first report. NaN if unknown.
func LastedSeconds(in model.Incident) float64 {
	began := in.MultiAttach.Began
	if in.Span.Seconds.Best > 0 && (in.Span.Open || in.MultiAttach.Ended != nil) {
		return in.Span.Seconds.Best
	}
	if in.MultiAttach.Ended != nil {
		return began.Until(*in.MultiAttach.Ended).Best
	}
	return math.NaN()
}

// LastedText is LastedSeconds in words, or "".
func LastedText(in model.Incident) string {
	s := LastedSeconds(in)
	if math.IsNaN(s) || s <= 0 {
		return ""
	}
	return words.Seconds(s)
}

// WhenText is from when to when an incident went, to the second.
func WhenText(in model.Incident) string {
	from, to := in.Span.From, in.Span.To
	if from.IsZero() {
		return ""
	}
	text := DateAt(from.At)
	if to.IsZero() || !to.At.After(from.At) {
		return text + Zone(from.At)
	}
	return text + "–" + ClockAt(to.At) + Zone(from.At)
}

func heldBy(in *IncidentView) *holder {
	b := in.BlockingAttachment
	h := holder{Node: words.OneLine(in.From.Node), Driver: words.OneLine(in.Volume.Driver), None: words.OneLine(b.NoneBecause),
		Inferred: b.Inferred}
	if b.Name != nil {
		h.Attachment = words.OneLine(*b.Name)
		h.Short = ShortID(h.Attachment)
	}
	for _, o := range in.WhyNotDetached {
		if o.Decides {
			h.Because = firstSentence(o.Text)
		}
	}
	if h.Because == "" && b.UID != "" && b.DeletionRequestedAt == nil { // the object is in the bundle
		h.Unasked = "Nobody had requested its deletion when it was collected"
	}
	if h.Attachment == "" && (h.Node == "" && h.Because == "" || in.Kind == model.KindStorageRefuses) {
		return nil
	}
	return &h
}

// ShortID cuts a generated name in the middle: "csi-c570d1…b6f8". Names that people gave stay whole.
func ShortID(name string) string {
	const longest, head, tail = 24, 10, 4
	runes := []rune(name)
	if len(runes) <= longest {
		return name
	}
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// firstSentence is a text up to its first full stop or semicolon, without it.
func firstSentence(text string) string {
	for _, end := range []string{". ", "; "} {
		if n := strings.Index(text, end); n > 0 {
			text = text[:n]
		}
	}
	return strings.TrimSuffix(text, ".")
}

// sureness says how far the primary cause is established, by which files, and what is missing.
func (v *View) sureness(in *IncidentView) sureness {
	var s sureness
	if in != nil && len(in.Causes) > 0 {
		c := in.Causes[0]
		s.Verdict = cmp.Or(string(c.Verdict), string(model.Undecidable))
		cites := v.Cited(c.For, in.MultiAttach.Began.Evidence)
		if in.MultiAttach.Ended != nil {
			cites = append(cites, v.Cited(in.MultiAttach.Ended.Evidence)...)
		}
		for _, id := range cites {
			if path := v.Short(model.Source{Path: v.Evidence[v.EvidenceAt[id]].Source.Path}); !slices.Contains(s.Sources, path) {
				s.Sources = append(s.Sources, path)
			}
		}
		told := slices.DeleteFunc(slices.Clone(v.Bundle.Inputs), func(i model.Input) bool { return i.Used == 0 })
		if s.Verdict == string(model.Undecidable) && len(s.Sources) == 1 && len(told) > 1 {
			s.Sources = nil // it is not one file of several that leaves the cause open
		}
		if s.Verdict != string(model.Confirmed) {
			for _, m := range c.Missing {
				if _, quote := v.EvidenceAt[m]; !quote && !slices.Contains(s.Missing, source(m)) {
					s.Missing = append(s.Missing, source(m))
				}
			}
		}
	}
	for _, n := range v.Bundle.NotCollected {
		if what := strings.TrimPrefix(n.What, "no "); !slices.Contains(s.Missing, what) && !slices.Contains(s.Missing, "the "+what) {
			s.Missing = append(s.Missing, what)
		}
	}
	return s
}

// source is the evidence that a text of a cause misses, without what it would decide: "its events" of "whether it was Ready: its events".
func source(missing string) string {
	asks, names, both := strings.Cut(missing, ": ")
	word, _, _ := strings.Cut(asks, " ")
	if both && slices.Contains([]string{"that", "whether", "why", "when", "what", "which", "since", "how"}, word) {
		asks = names
	}
	for _, end := range []string{"; ", ", which ", ", such as "} {
		asks, _, _ = strings.Cut(asks, end)
	}
	return asks
}

// Text is how sure the answer is, in words; "" where there is nothing to be sure of. One source alone is named.
func (s sureness) Text() string {
	text := s.Verdict
	if s.Verdict == string(model.Undecidable) {
		text = "cannot tell"
	}
	if len(s.Sources) == 0 {
		return text
	}
	if len(s.Sources) == 1 && s.Verdict == string(model.Undecidable) {
		return fmt.Sprintf("%s from %s alone", text, path.Base(s.Sources[0]))
	}
	if len(s.Sources) == 1 {
		return fmt.Sprintf("%s from one source alone, %s", text, path.Base(s.Sources[0]))
	}
	return fmt.Sprintf("%s from %d sources", text, len(s.Sources))
}

// others are the incidents beside the one that is shown, open ones first, and the findings that need an action.
func (v *View) others(shown *IncidentView) []Other {
	told := v.fault()
	var list []*IncidentView
	for _, in := range v.Incident {
		if in != shown {
			list = append(list, in)
		}
	}
	slices.SortStableFunc(list, func(a, b *IncidentView) int { return OpenFirst(a.Incident) - OpenFirst(b.Incident) })
	out := make([]Other, 0, len(list)+len(v.Findings))
	for _, in := range list {
		text, from, to := in.Title, words.OneLine(in.From.Node), words.OneLine(in.To.Node)
		if from == "" || to == "" { // what is not known is left out
			text = cmp.Or(VolumeName(in.Volume), "another wait, of a volume that is not named") + words.If(from != "", ": from "+from) + words.If(to != "", ": to "+to)
		}
		if lasted := LastedText(in.Incident); lasted != "" && in.Span.Open {
			text += ", still blocked after " + lasted
		} else if lasted != "" {
			text += ", ended after " + lasted
		}
		if in.Cluster != "" {
			text += ", cluster " + words.OneLine(model.ClusterName(in.Cluster, v.Bundle.Inputs))
		}
		out = append(out, Other{text, in.Anchor})
	}
	for n, f := range v.Findings {
		same := len(f.Objects) == 0 && shown != nil // without a name it may be the same wait
		if f.Severity != string(model.Info) && told != &v.Findings[n] && !same {
			first := f.Objects[:min(1, len(f.Objects))]
			out = append(out, Other{words.OneLine(f.Title) + words.If(len(first) > 0, ": "+Refs(first)), "findings"})
		}
	}
	return out
}

// OpenFirst sorts incidents that are open before the others.
func OpenFirst(in model.Incident) int {
	if in.Span.Open {
		return 0
	}
	return 1
}

// Text is what held the volume, in one line.
func (h holder) Text() string {
	text := words.If(h.Short == "", "a ") + "VolumeAttachment" + words.If(h.Short != "", " "+h.Short)
	if h.Attachment == "" && h.None != "" {
		text = "the controller's own record (" + h.None + ")"
	}
	text = words.Capital(words.If(h.Inferred, "likely ")+text) + words.If(h.Node != "", " on "+h.Node) +
		words.If(h.Attachment == "" && h.None == "", " (none is shown)")
	text += words.If(h.Because != "", ". "+h.Because) + words.If(h.Unasked != "", ". "+h.Unasked)
	return text
}

// OtherTexts are the texts of a list.
func OtherTexts(list []Other) []string {
	return Each(list, func(o Other) string { return o.Text })
}

// Listed are the first texts of a list, and how many more there are.
func Listed(list []string, most int) string {
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}
