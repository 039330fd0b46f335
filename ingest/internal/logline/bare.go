package logline

import (
	"bytes"
	"regexp"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// bare makes a record of a piece without a header if it is a statement nevertheless: a Kubernetes Event, a line of which
// only the source file is left, a line of logrus or of logfmt, or a message that Known takes.
func (s *Scanner) bare(p *piece) bool {
	if p.event == nil && !p.entry {
		p.event, p.inner = testEvent(p.inner)
	}
	if p.event != nil {
		p.head = header{bare: true}
		return true
	}
	h, ok := parseLogrus(p.inner)
	if !ok {
		h, ok = parseLevelled(p.inner)
	}
	if ok {
		s.anchor(p, time.UnixMicro(h.clock.instant).UTC())
	} else if h, ok = parseLogfmt(p.inner); ok {
		p.head = h
		return true
	} else {
		h = header{bare: true}
		parseBarePlace(p.inner, &h)
	}
	file := p.inner[h.fileStart:h.fileEnd]
	if len(file) == 0 && p.w.from != nil {
		file = []byte(p.w.from.File)
	}
	if !s.known(p.w.from, file, h.message(p.inner)) {
		return false
	}
	p.head = h
	return true
}

func (s *Scanner) known(from *envelope.Origin, file, text []byte) bool {
	return s.Known != nil && s.Known(from, file, text)
}

// parseBarePlace reads `file.go:12] ` at the start of a line: what is left of a klog line whose header was cut off.
func parseBarePlace(b []byte, h *header) {
	if i := bytes.Index(b[:min(len(b), maxPlace)], []byte(".go:")); i > 0 && bytes.IndexByte(b[:i], ' ') < 0 {
		parsePlace(b, 0, h)
	}
}

var logrusPrefix = []byte(`time="`)

// logrus is a line of that logger, which k3s, rke2, Longhorn and Trident write; logfmt one as CSI drivers write that log with go-kit. The
// order of the keys separates the latter from other users of logfmt in a cluster, which name the caller first. The wordings are each
// driver's own and unknown here; the text begins with the key msg, so that it is taken for no component's.
var (
	logrus = regexp.MustCompile(`^time="([^"]+)"(?:.*? msg="((?:[^"\\]|\\.)*))?(?:.*? file="([^"]*)")?`)
	logfmt = regexp.MustCompile(`^level=(?:debug|info|warn|error) ts=(\S+) component=[\w.@/()\\-]+ (msg=.*)`)
)

// parseForeign reads the time, text and file of a line of either.
func parseForeign(b []byte, form *regexp.Regexp) (h header, ok bool) {
	at := form.FindSubmatchIndex(b)
	if at == nil {
		return h, false
	}
	t, n, ok := parseRFC3339(b[at[2]:at[3]])
	h.clock.instant = t.UnixMicro()
	if at[4] >= 0 {
		h.text, h.textEnd = at[4], at[5]
	}
	if len(at) > 6 && at[6] >= 0 {
		h.fileStart, h.fileEnd = callerFile(b, at[6]-1, at[7]+1)
	}
	return h, ok && n == at[3]-at[2]
}

// parseLogrus is quick to refuse most lines.
func parseLogrus(b []byte) (h header, ok bool) {
	if bytes.HasPrefix(b, logrusPrefix) {
		h, ok = parseForeign(b, logrus)
		h.logrus = true
	}
	return h, ok
}

func parseLogfmt(b []byte) (h header, ok bool) {
	h, ok = parseForeign(b, logfmt)
	h.logfmt, h.textEnd = true, 0
	return h, ok
}

// levelled is how loggers other than Kubernetes' begin a line of JSON: zap, slog and logrus put the level or the time first.
var levelled = regexp.MustCompile(`^\{"(?:level|time|ts)":`)

// IsLevelled reports whether a text begins so.
func IsLevelled(b []byte) bool { return levelled.Match(b) }

// levelledTime is the time in such a line, as RFC 3339 or in seconds, and levelledText where its message begins.
var (
	levelledTime = regexp.MustCompile(`"(?:ts|time|timestamp)":(?:"([^"]{20,40})"|(\d{9,13}(?:\.\d+)?))`)
	levelledText = regexp.MustCompile(`"(?:msg|message)":"`)
)

// parseLevelled reads such a line of which the message is known: CSI drivers write it.
func parseLevelled(b []byte) (h header, ok bool) {
	if !levelled.Match(b) {
		return h, false
	}
	at, text := levelledTime.FindSubmatch(b), levelledText.FindIndex(b)
	if at == nil || text == nil {
		return h, false
	}
	if h.clock.instant, ok = parseMillis(at[2]); !ok {
		t, n, whole := parseRFC3339(at[1])
		if !whole || n != len(at[1]) {
			return h, false
		}
		h.clock.instant = t.UnixMicro()
	}
	h.logrus, h.text = true, text[1]
	if h.textEnd = skipString(b, h.text-1) - 1; h.textEnd < h.text {
		h.textEnd = len(b)
	}
	return h, true
}

// ofDriver reports a line of JSON of which the message is known: its other fields belong to it.
func (s *Scanner) ofDriver(b []byte) bool {
	h, ok := parseLevelled(b)
	return ok && s.known(nil, nil, h.message(b))
}

// Anchor ties the clock of a log without year and zone to the one axis: the log itself prints both times at once.
type Anchor struct {
	Line   int
	Civil  time.Time     // what the log's own clock showed, with its year, as if UTC
	Offset time.Duration // of the log's own clock from UTC
}

// maxAnchors bounds how often a zone changes within a log.
const maxAnchors = 16

// anchor notes what a line with an instant of its own says of the journal's clock.
func (s *Scanner) anchor(p *piece, instant time.Time) {
	if !p.w.isCivil || p.w.has {
		return
	}
	at := Nearest(instant, func(year int) time.Time { return civilIn(p.w.civil, year) })
	delta := at.Sub(instant)
	offset := delta.Round(zoneStep)
	if (delta-offset).Abs() > time.Minute || offset.Abs() > maxZone {
		return
	}
	a := Anchor{Line: p.line, Civil: at, Offset: offset}
	if n := len(s.stats.Anchors); n == maxAnchors || n > 0 && s.stats.Anchors[n-1].Offset == a.Offset {
		return
	}
	s.stats.Anchors = append(s.stats.Anchors, a)
}
