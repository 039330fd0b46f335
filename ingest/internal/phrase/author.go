package phrase

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// said is one thing that authors tell, in the words of one language.
type said struct {
	what string
	text func() *regexp.Regexp
}

// language is how authors of one language tell what happened. A sentence that a text of spoiled matches tells nothing: it is a question, a
// condition, a wish, or says that it was not so.
type language struct {
	name     string
	rows     []said
	spoiled  func() *regexp.Regexp
	intended func() *regexp.Regexp // words before what an author only wants; nil for none
	// denied are the words that deny what follows them at once.
	denied func() *regexp.Regexp
	behind int // bytes behind the words in which they may be denied
}

// re is a pattern of a table of sentences, in which a blank is any gap. The first sentence compiles it: most starts read no prose.
func re(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)` + strings.NewReplacer(" ?", `\s*`, " ", `\s+`).Replace(pattern))
	})
}

// maxSentence bounds a sentence; a longer one is no sentence of an author.
const maxSentence = 600

// maxSentences bounds those of one line.
const maxSentences = 40

// sentenceEnd is where a sentence ends, in any of the languages.
var sentenceEnd = regexp.MustCompile(`[.!?;](?:\s|$)|[。！？；\n]`)

// Author reads what the author of a text tells in a line of prose. asSteps says that the line is one of the steps that the author took.
func Author(line string, asSteps bool) []model.Observation {
	if len(line) > maxSentence*maxSentences || !mayTell(line) {
		return nil
	}
	var out []model.Observation
	for range maxSentences {
		sentence, rest := line, ""
		if at := endOf(line); at >= 0 {
			sentence, rest = line[:at], line[at:]
		}
		if what, at := told(sentence, asSteps); what != "" && !says(out, what) {
			o := model.Observation{Kind: model.AuthorSaid, Detail: what + ": " + words.Clip(bare(sentence), maxTold), Node: nodeOf(sentence, at)}
			if m := back().FindStringSubmatch(sentence[at[0]:at[1]]); what == model.SaidOver && m != nil && !slices.Contains(nameless, strings.ToLower(m[1])) {
				o.Pod = model.PodRef("", strings.ToLower(m[1]), "")
			}
			out = append(out, o)
		}
		if what, text, pod := deedOf(sentence); what != "" && len(sentence) <= maxSentence && !says(out, what) {
			out = append(out, model.Observation{Kind: model.AuthorSaid, Detail: what + ": " + words.Clip(bare(text), maxTold), Pod: pod})
		}
		if line = rest; line == "" {
			break
		}
	}
	return out
}

// endOf is where the first sentence of a line ends, behind its mark; -1 where it goes on to the end.
func endOf(line string) int {
	for _, at := range sentenceEnd.FindAllStringIndex(line, -1) {
		if !abbreviated.MatchString(line[:at[0]]) {
			return at[1]
		}
	}
	return -1
}

// abbreviated ends in an abbreviation, whose full stop ends no sentence.
var abbreviated = regexp.MustCompile(`\b(?:e\.g|i\.e|vs|resp|approx)$`)

// maxTold is how many letters of a sentence are told.
const maxTold = 160

// marks are those of lists, headings, quotes, diffs and emphasis around a sentence.
var marks = regexp.MustCompile(`^[\s>#+*•"'“_-]*(?:\d+[.)]\s+)?|[\s*"'”_]+$`)

// reportAt is the controller's report with its volume, as opposed to its first words alone.
var reportAt = regexp.MustCompile(`Multi-Attach error for volume "[^"\s]`)

// bare is a sentence without the marks around it, and without the report that ends it.
func bare(sentence string) string {
	if at := reportAt.FindStringIndex(sentence); at != nil && at[0] > 30 { // behind more than who reports it
		sentence = sentence[:at[0]] + "…"
	}
	text := strings.TrimRight(strings.ReplaceAll(marks.ReplaceAllString(sentence, ""), "**", ""), ".。, ")
	return text + words.If(leadsOn.MatchString(text), " …")
}

// leadsOn ends in a word after which a quotation of what a program wrote has to follow.
var leadsOn = regexp.MustCompile(`(?i)\b(?:with|by|get|gets|got|says?|is|that|following):?$`)

// hints are words of which a sentence that tells something holds one, but for those of other scripts.
var hints = []string{"until", "from", "between", "back", "recovered", "node", "notready", "ssh", "ping", "pleg", "resolved", "firing", "came up", "running", "is up", " again", "wieder", "still", "partition", "server", "machine", "host", "instance", "vm", "worker", "spot", "preempt", "kubelet", "share", "same", "mount",
	"pvc", "claim", "volume", "roll", "upgrade", "deploy", "drain", "fixed", "solved", "problem", "issue", "pod ", "wahrscheinlich", "power", "outage", "panic", "attach", "update", "recreate", "force", "finalizer", "detach", "argo", "flux", "gitops", "nodo", "noeud", "knoten", "ausfall", "servidor", "serveur"}

// mayTell reports that a line may be prose that tells something; it saves the tables most lines.
func mayTell(line string) bool {
	if strings.IndexFunc(line, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return true
	}
	lower := strings.ToLower(line)
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(lower, h) })
}

func says(list []model.Observation, what string) bool {
	for i := range list {
		if strings.HasPrefix(list[i].Detail, what+": ") {
			return true
		}
	}
	return false
}

// told is what one sentence tells, and from where to where; "" when nothing. Of a suspicion it is that it is one.
func told(sentence string, asSteps bool) (what string, at []int) {
	if len(sentence) > maxSentence {
		return "", nil
	}
	for i := range languages {
		l := &languages[i]
		for _, row := range l.rows {
			if at = row.text().FindStringIndex(sentence); at == nil {
				continue
			}
			if row.what == model.SaidOver && backMachine().MatchString(sentence[at[0]:at[1]]) {
				continue
			}
			if l.spoiled().MatchString(habit().ReplaceAllString(sentence, "$1")) || row.what == model.SaidMultiAttach && spoiledInAny(sentence) ||
				l.denies(sentence, at, row.what) || row.what == model.SaidOver && goesOn().MatchString(sentence[at[1]:]) || l.intended != nil && l.intended().MatchString(sentence[:at[0]]) {
				return "", nil
			}
			if row.what != model.SaidMultiAttach && suspected(sentence, at) {
				return model.SaidSuspected, at
			}
			return row.what, at
		}
	}
	if at = suspicion().FindStringIndex(sentence); at != nil && !english.spoiled().MatchString(sentence) {
		return model.SaidSuspected, at
	}
	if !asSteps || english.spoiled().MatchString(sentence) {
		return "", nil
	}
	for _, row := range steps {
		if at := row.text().FindStringIndex(sentence); at != nil {
			return row.what, at
		}
	}
	return "", nil
}

// suspects are the words that make what follows in their clause a suspicion.
const suspects = `(?:\b(?:i|we)(?: \w+)? (?:think|suspect|guess|assume|believe|presume)\b|\b(?:maybe|perhaps|probably|possibly|presumably|my guess|` +
	`vermutlich|vielleicht|wahrscheinlich|ich (?:glaube|denke|vermute)|je (?:pense|crois)|probablement|sans doute|creo que|tal vez|probablemente|sospecho|` +
	`acho que|talvez|provavelmente|suspeito|penso che|credo che|forse|probabilmente)\b|peut-être|quizás|也许|也許|估计|估計|怀疑|懷疑|好像|似乎|おそらく|たぶん|아마|` +
	`думаю|возможно|кажется|наверное|видимо|похоже)`

var (
	suspectedBefore = re(suspects + `,?[^,:;，、：]*$`)
	suspectedBehind = re(`^[^,:;，：]*(?:と思(?:う|い|わ)|かもしれ|것 같)`)
	// suspicion is one about what keeps a volume, in words that tell nothing else.
	suspicion = re(suspects + `.{0,60}?(?:\b(?:nodes?|kubelet|attach\w*|detach\w*|mount(?:ed)?|unmount\w*|volumes?|csi|driver|knoten|nodos?|nó|disk)\b|n(?:œ|oe)ud|` +
		`节点|節點|卷|挂载|ノード|ボリューム|노드|볼륨|узел|узле|нод[аеу]|том\s)`)
)

// suspected reports that what stands from one place to another of a sentence is only suspected.
func suspected(sentence string, at []int) bool {
	return suspectedBefore().MatchString(sentence[:at[0]]) || suspectedBehind().MatchString(sentence[at[1]:])
}

var (
	// back begins what runs again with its name, which is that of a pod or a workload.
	back = re(`^(?:(?:the|our|my|new|pods?) )*([a-z0-9][a-z0-9.]*-[a-z0-9.-]*|[a-z]{4,})(?: on \S+)? (?:now |finally |just )?(?:is|was|came) `)
	// backMachine is one of which it is no end of a wait that it runs again: a machine, or what serves them all.
	backMachine = re(`^(?:(?:the|our|my) )*(?:` + aMachine + `\b|(?:ip-|[a-z]?k[8e]s-|gke-|k3s-)*(?:node|worker|master|host|server|vm|k[38]s|ip-)[a-z0-9.-]*\d|(?:kubelet|docker|containerd|etcd|api-?server|cluster|network|storage|array|console|cloud|dns|driver|operator|plugin|` +
		`which|that|this|there|what|who|one|csi-\S+|\S*-(?:attacher|controller|driver|manager|operator|apiserver))\b)`)
)

// nameless are words for what waits that are no name of it.
var nameless = []string{"everything", "pods", "database", "container", "containers", "service", "application", "workload", "deployment", "statefulset", "volume", "site", "system", "stack"}

// goesOn is what is said behind the end of one thing of another that lasts.
var goesOn = re(`\b(?:still|noch|but|aber)\b.{0,40}\b(?:container ?creating|pending|stuck|waiting|waits|hangs|hanging|hängt|hängen|blocked|fails|failing|not|nicht)\b`)

// habit is what happens to authors themselves whenever they do a thing: a word of habit before it does not make it documentation.
var habit = re(`\b(?:usually|often|mostly|typically|generally|normally|always)[, ]+((?:it|this|that) (?:happens|happened|occurs|occurred) ` +
	`(?:after|when|whenever|while|during|as soon as) (?:we|i) )`)

// spoiledInAny is for the error's own words, which are those of every language.
func spoiledInAny(sentence string) bool {
	return slices.ContainsFunc(otherLanguages, func(l language) bool { return l.spoiled().MatchString(sentence) })
}

// denies reports that what stands before the words of a row, or inside of them, denies them. That two differ is itself told by a denial.
func (l *language) denies(sentence string, at []int, what string) bool {
	if l.denied().MatchString(sentence[:at[0]]) {
		return true
	}
	inside := sentence[at[0]:min(at[1]+l.behind, len(sentence))]
	return what != model.SaidStorageDiffers && l.denied().MatchString(inside+"\x00")
}

// nodeName is the name of a node behind the word for one; a name without a digit may be any word.
var nodeName = regexp.MustCompile("(?i)(?:\\b(?:node|worker|host|server|instance|vm|machine|nodo|nó|knoten|nœud|noeud)|узел|узла|нода|ноды|ноду|сервер|节点|節點|ノード|노드)" +
	"\\s*[`\"'“(*]*([a-z0-9][a-z0-9.-]*[0-9][a-z0-9.-]*|[0-9][a-z0-9.-]+)")

// bareName is a node's name that is the word itself with a number, such as node2 or worker-1.
var bareName = regexp.MustCompile(`(?i)\b((?:[a-z0-9]+-)*(?:node|worker|master|k8s)-?[a-z]{0,2}-?\d[a-z0-9.-]*)\b`)

// nodeTold is the one node that a sentence names; "" for none, or several.
func nodeTold(sentence string) string {
	name := ""
	for _, r := range []*regexp.Regexp{nodeName, bareName} {
		for _, m := range r.FindAllStringSubmatch(sentence, 4) {
			n := strings.Trim(m[1], ".-")
			if name != "" && n != name && !strings.HasSuffix(n, name) {
				return ""
			}
			if len(n) > len(name) {
				name = n
			}
		}
	}
	if len(name) < 3 {
		return "" // "node 1" counts, and names nothing
	}
	return name
}

// nodeOf is the node that a sentence names where it tells of one, else the only one in it: "node-3 lost power, and the pod moved to node-2".
func nodeOf(sentence string, at []int) string {
	from, to := 0, len(sentence)
	if mark := strings.LastIndexAny(sentence[:at[0]], clauseMarks); mark >= 0 {
		_, width := utf8.DecodeRuneInString(sentence[mark:])
		from = mark + width
	}
	if mark := strings.IndexAny(sentence[at[1]:], clauseMarks); mark >= 0 {
		to = at[1] + mark
	}
	clause := sentence[from:to]
	if named := nodeTold(clause); named != "" || bareName.MatchString(clause) {
		return named
	}
	return nodeTold(sentence)
}

// clauseMarks end a clause.
const clauseMarks = ",:，、："

var stepsHeading = re(`reproduc|\bsteps\b|what happened|what did you do|what i did|重现|復現|复现|重現|步骤|步驟|再現|手順|재현|절차|reproduzir|` +
	`reproducir|riprodurre|reproduzier|reproduire|passos|pasos|passi|schritte|étapes`)

// StepsHeading reports a heading below which authors tell what they did, also without saying that it was they.
func StepsHeading(line string) bool { return stepsHeading().MatchString(line) }
