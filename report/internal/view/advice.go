package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// AdviceView is the advice of an incident in words, in the report's order.
type AdviceView struct {
	Open    bool
	Done    []DoneView
	Head    string       // of the options: "What to do now", "Better at that moment"
	Options []OptionView // now, or better at a moment of the past; the first is what a page shows whole
	Prevent []OptionView
	Floor   string // "" where the replay does not tell
	Curve   *CurveView
	Nothing string // is said in the place of an option
}

// DoneView is what was done, and what it was worth.
type DoneView struct {
	model.DoneAct
	Time   string // of day; "" where not known
	Text   string // the act, and who
	Effect string // what it came to
	Worth  string // what it saved or cost; "" where the replay cannot tell
	Range  string // its bounds; "" where they say no more
	Cites  []string
}

// OptionView is a remedy at a moment.
type OptionView struct {
	model.Option
	Name  string
	Worth string // "6 min 49 s sooner", or that it cannot be told, and why
	Range string // its bounds; "" where they say no more
	Ready string // "Ready at 09:17:44 if done at 09:17:28"
	Risk  string // to the data, as a condition
	soFar string // behind a saving, where the incident is open
}

// Advice puts the advice of an incident into words; nil where there is none, as of a hand-over.
func (in *IncidentView) Advice() *AdviceView {
	a := in.Incident.Advice
	if a == nil {
		return nil
	}
	out := &AdviceView{Open: len(a.Now) > 0 || in.Span.Open, Nothing: "No safe act is known that would have ended it sooner."}
	if c := in.Causes; len(c) > 0 && c[0].Verdict == model.Undecidable {
		out.Nothing = "What would have ended it sooner is not known: nothing shows what kept the volume."
	}
	for _, d := range a.Done {
		out.Done = append(out.Done, in.doneView(d))
	}
	for _, o := range slices.Concat(a.Now, a.Better) {
		out.Options = append(out.Options, in.optionView(o))
	}
	for _, o := range a.Prevent {
		out.Prevent = append(out.Prevent, in.optionView(o))
	}
	if out.Head = "What would have been better"; out.Open {
		out.Head = "What to do now"
	}
	if first := out.First(); first != nil && !out.Open {
		out.Head = anchorHead(first.Anchor)
	}
	if a.Floor != nil {
		out.Floor = "No action could have made it shorter than " + Span(*a.Floor) + "."
	}
	out.Curve = newCurveView(in)
	return out
}

// First is what to do, or what would have been better; nil where nothing is known to be.
func (a *AdviceView) First() *OptionView {
	if a == nil || len(a.Options) == 0 {
		return nil
	}
	return &a.Options[0]
}

// anchorHead heads an option by what its moment is taken from.
func anchorHead(anchor model.Anchor) string {
	switch anchor {
	case model.AnchorAct:
		return "Better at that moment"
	case model.AnchorAlert:
		return "Better at the first alert"
	case model.AnchorReport:
		return "Better at the first report"
	case model.AnchorJustified:
		return "Better as soon as the evidence justified it"
	case model.AnchorCollection:
		return "What to do now"
	}
	return "Better before it began"
}

// actEffects are what an act came to, in words.
var actEffects = []Label{
	{string(model.ActEnded), "ended the wait"}, {string(model.ActShortened), "ended it sooner"},
	{string(model.ActStarted), "started the controller's six-minute timer"}, {string(model.ActNone), "changed nothing"},
	{string(model.ActRace), "a race: either node could have got the volume"}, {string(model.ActLengthened), "made it longer"},
	{string(model.ActCaused), "caused the wait"}, {string(model.ActRiskedData), "put data at risk: two nodes could write after it"},
}

func (in *IncidentView) doneView(d model.DoneAct) DoneView {
	text := words.Capital(strings.TrimSuffix(in.Unhashed(words.OneLine(d.What)), "."))
	out := DoneView{DoneAct: d, Text: text, Cites: in.View.Cited(d.Evidence)}
	out.Effect = words.OneLine(Find(actEffects, string(d.Effect)))
	if d.Effect == model.ActShortened && in.Span.Open {
		out.Effect = "ends it sooner by the replay"
	}
	if d.Effect == model.ActNone && d.Saved == nil { // no replay weighed it
		out.Effect = words.If(in.Span.Open && d.Remedy != nil, "has not ended the wait")
	}
	if unseen := in.Span.Open && d.At != nil && !d.At.Latest.Before(in.Span.To.Earliest); unseen && d.Effect == model.ActNone {
		out.Effect = "what came of it is not shown"
	}
	if d.At != nil && !d.At.IsZero() {
		out.Time = d.At.Clock(ClockAt)
	}
	if d.Effect == model.ActNone && in.Model != nil && in.Model.Withheld != "" {
		out.Effect = "its effect is not known"
	}
	if d.By != nil && *d.By != "" {
		out.Text += words.If(!strings.Contains(d.What, *d.By), ", by "+words.OneLine(*d.By))
	} else if !strings.HasPrefix(d.What, "the author writes") {
		out.Text += ", by an unknown user"
	}
	out.Worth, out.Range = worthOf(d.Saved)
	return out
}

// worthOf is what an act saved or cost, and the bounds of it; "" where it is not known, or next to nothing.
func worthOf(s *model.Range) (worth, bounds string) {
	if s != nil && s.Best >= leastSaved {
		return "saved " + words.Seconds(s.Best), rangeText(*s)
	}
	if s != nil && s.Best <= -leastSaved {
		return "cost " + words.Seconds(-s.Best), rangeText(model.Range{Best: -s.Best, Min: -s.Max, Max: -s.Min})
	}
	return "", ""
}

// rangeText are the bounds of a duration as Span writes them, without brackets; "" where they say no more.
func rangeText(r model.Range) string {
	_, bounds, _ := strings.Cut(Span(r), " (")
	return strings.TrimSuffix(bounds, ")")
}

// leastSaved is the least saving, in seconds, that is called one.
const leastSaved = 0.5

// Worse says that an act did harm.
func (d DoneView) Worse() bool {
	harm := []model.ActEffect{model.ActCaused, model.ActLengthened, model.ActRiskedData}
	return slices.Contains(harm, d.DoneAct.Effect) || d.Saved != nil && d.Saved.Best <= -leastSaved
}

// Line is an act in one line.
func (d DoneView) Line() string {
	worth := d.Worth + words.If(d.Range != "", " ("+d.Range+")")
	came := slices.DeleteFunc([]string{d.Effect, worth}, func(text string) bool { return text == "" })
	return strings.TrimSpace(d.Time+" "+d.Text) + words.If(len(came) > 0, ": "+strings.Join(came, "; "))
}

// Shown are the first acts of a list, in the order of time; those that caused the wait or did harm come before others.
func (a *AdviceView) Shown(most int) []DoneView {
	if len(a.Done) <= most {
		return a.Done
	}
	kept := map[int]bool{}
	for _, worse := range []bool{true, false} {
		for i, d := range a.Done {
			if len(kept) < most && d.Worse() == worse {
				kept[i] = true
			}
		}
	}
	var out []DoneView
	for i, d := range a.Done {
		if kept[i] {
			out = append(out, d)
		}
	}
	return out
}

func (in *IncidentView) optionView(o model.Option) OptionView {
	out := OptionView{Option: o, Name: cmp.Or(words.OneLine(o.Title), words.OneLine(o.Remedy))}
	if o.InsteadOf != nil && o.At != nil {
		out.Name += " instead"
	}
	switch s := o.Saved; {
	case s == nil:
		out.Worth = unknownSaving + words.If(o.Why != "", ": "+lowerFirst(out.WhyFirst()))
	case s.Best < leastSaved && s.Best > -leastSaved:
		out.Worth = "saves nothing here"
	case s.Best < 0:
		out.Worth = words.Seconds(-s.Best) + " later"
	default:
		out.Worth = words.Seconds(s.Best) + " sooner"
		out.soFar = words.If(in.Span.Open, " so far") // the saving is counted to the collection
		out.Range = rangeText(*s)
	}
	out.Ready, out.Risk = in.readyIf(o), in.riskIf(o)
	if o.Saved == nil && o.Anchor == model.AnchorCollection && out.Ready != "" { // what counts is how soon it is over
		out.Worth, out.Ready = out.Ready, ""
	}
	return out
}

// endsDemand are the remedies with which the pod that waits goes, and is never Ready: the one that serves stays.
var endsDemand = []string{"rollout-undo", "single-writer-replicas"}

// readyIf says when the pod is Ready, or the wait over, if the option is carried out at its moment.
func (in *IncidentView) readyIf(o model.Option) string {
	if o.ReadyAt == nil || o.ReadyAt.IsZero() {
		return ""
	}
	state := "Ready"
	if slices.Contains(endsDemand, o.Remedy) {
		state = "over"
	}
	if o.Anchor == model.AnchorCollection && !in.Span.To.IsZero() { // however uncertain the time of the collection, now is one moment
		return state + " in " + between(model.Exactly(in.Span.To.At).Until(*o.ReadyAt)) + " if done now"
	}
	text := state + " at " + ClockAt(o.ReadyAt.At)
	if o.At != nil && !o.At.IsZero() {
		text += " if done " + atClock(*o.At)
	}
	return text
}

// riskIf is the risk for the data as a condition in plain words.
func (in *IncidentView) riskIf(o model.Option) string {
	condition := provenBy(o.Steps)
	for _, r := range in.Remediations {
		for _, n := range slices.Backward(r.Safety.Needs) { // the first that is not met is said
			if r.ID == o.Remedy && n.Met != model.Yes {
				condition = plainCondition(n.Text)
			}
		}
	}
	switch o.DataRisk {
	case model.RiskNone:
		return "no data risk"
	case model.RiskOnceProven:
		return "no data risk if " + condition
	case model.RiskPossible:
		return "data at risk unless " + condition
	}
	return RiskName + Find(riskLabels, words.OneLine(o.DataRisk))
}

// provenBy is what the first step of a proof makes sure of: "the machine of worker-0 is off" of "make sure at the cloud that the …".
func provenBy(steps []model.Step) string {
	for _, s := range steps {
		if _, what, both := strings.Cut(s.Text, " that "); both && s.Part == model.StepProve {
			what, _, _ = strings.Cut(what, ";")
			what, _, _ = strings.Cut(what, " (") // the word of the answer
			return plainCondition(what)
		}
	}
	return "its steps to prove it succeed"
}

// plainCondition is a need as the part of a sentence: "the machine is verified off" of "worker-0 no longer writes: the machine is off, or …".
func plainCondition(need string) string {
	text := words.OneLine(strings.TrimSuffix(need, "."))
	if _, how, both := strings.Cut(text, ": "); both {
		text = how
	}
	text, _, _ = strings.Cut(text, ", or ")
	if who, is := strings.CutSuffix(text, " is off"); is {
		return who + " is verified off"
	}
	return lowerFirst(text)
}

// lowerFirst is a sentence as the part of another. A word of several capitals stays.
func lowerFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if next, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(next) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// Side is what else the option does; "" for nothing.
func (o OptionView) Side() string { return strings.Join(Each(o.SideEffects, words.OneLine), "; ") }

// Effect is the worth with its bounds, and when the pod is Ready.
func (o OptionView) Effect() string {
	text := o.Worth + words.If(o.Range != "", " ("+o.Range+")")
	return text + words.If(o.Ready != "", ": "+o.Ready)
}

// Sentence is all that is to be said of an option before its steps. The risk comes first where no saving is known.
func (o OptionView) Sentence() string {
	if o.Remedy == "" {
		return o.WhyFirst() + "; these commands only read."
	}
	if !o.Told() {
		return words.Capital(o.Risk) + ". " + words.Capital(o.Effect()) + "."
	}
	return words.Capital(o.Effect()) + "; " + o.Risk + "."
}

const unknownSaving = "saving not known"

// Told says that it is known what the option saves, or when it is over by it.
func (o OptionView) Told() bool { return !strings.HasPrefix(o.Worth, unknownSaving) }

// Brief is the saving and the effort behind a name.
func (o OptionView) Brief() string {
	return words.If(o.Saved != nil, "saves "+o.Saves()) + words.If(o.Saved == nil, unknownSaving) + ", " + string(o.Effort)
}

// Saves is the saving as a cell of a table.
func (o OptionView) Saves() string {
	if o.Saved == nil {
		return "not known"
	}
	if o.Saved.Best < leastSaved {
		return o.Worth
	}
	return words.Seconds(o.Saved.Best) + o.soFar
}

// MoreActs counts the acts that are not shown.
func (a *AdviceView) MoreActs(shown int) string {
	more := len(a.Done) - shown
	return words.If(more > 0, fmt.Sprintf("%d more", more))
}

// WhyFirst is why no saving is told, in one sentence.
func (o OptionView) WhyFirst() string {
	why := words.OneLine(o.Why)
	if turns, what, both := strings.Cut(why, ". "); both && strings.HasPrefix(turns, "Withheld: ") {
		why = what
	}
	return words.Capital(firstSentence(strings.TrimPrefix(why, "Withheld: ")))
}
