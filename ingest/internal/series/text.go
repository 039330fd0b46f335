package series

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/volpost/volpost/ingest/internal/textline"
	"github.com/volpost/volpost/model"
)

// sniffLines is how many samples at the head of a file must be such.
const sniffLines = 5

// IsText reports whether a file begins as OpenMetrics, exposition format or promtool's dump: comments and samples, one with labels.
func IsText(head []byte) bool {
	samples, labelled := 0, false
	for len(head) > 0 && samples < sniffLines {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole && samples > 0 {
			break // cut by the size of the head
		}
		head = rest
		text := strings.TrimSpace(string(line))
		if text == "" || strings.HasPrefix(text, "# ") {
			continue
		}
		l, _, err := parseLine(text)
		if err != nil {
			l, err = parseResult(text)
			if labelled = labelled || err == nil; err != nil && query.MatchString(text) {
				continue
			}
		}
		if err != nil {
			return false
		}
		samples++
		labelled = labelled || len(l.labels) > 1
	}
	return labelled
}

// query is a line of the query whose result was pasted.
var query = regexp.MustCompile(`\b(?:kube_|kubelet_volume_)[a-z_]+|^(?:\$ *)?promtool |^[()*]|\b(?:on|ignoring|by|group_left|group_right) ?\(`)

// textLine is one sample as it is written.
type textLine struct {
	labels model.Labels
	value  float64
	stamp  string // as written, "" without one
}

// Text is what ReadText and ReadAPI return.
type Text struct {
	*Memory
	Skipped  int      // lines that are no sample, or of which the time is not known
	Warnings []string // sentences
	Unnamed  []Unnamed
	undated  []textLine
}

// maxUndated bounds the samples without a time that are kept: of one scrape.
const maxUndated = 1_000_000

// lineLimit bounds one line; label values are at most some kilobytes.
const lineLimit = 1 << 20

// ReadText reads OpenMetrics (seconds), promtool's dump and the exposition format (milliseconds), without samples that have no time.
func ReadText(r io.Reader) (Text, error) {
	t := Text{Memory: NewMemory(model.MetricExposition)}
	lines := textline.New(bufio.NewReaderSize(r, 64<<10), lineLimit)
	ended, typed, untimed, long := false, false, 0, 0
	for text, cut, more := lines.Next(); more; text, cut, more = lines.Next() {
		line := strings.TrimSpace(string(text))
		switch {
		case cut:
			long++
		case strings.HasPrefix(line, "# EOF"):
			ended = true
		case strings.HasPrefix(line, "# TYPE"):
			typed = true
		case line != "" && !strings.HasPrefix(line, "#"):
			if bad := t.sample(line); errors.Is(bad, errFull) {
				return t, bad
			} else if errors.Is(bad, errUntimed) {
				untimed++
			}
		}
	}
	if lines.Err != nil {
		return t, fmt.Errorf("could not be read to its end: %w", lines.Err)
	}
	t.Skipped += long
	t.form(ended, typed)
	if untimed > 0 && t.Samples == 0 && untimed == len(t.undated) { // one scrape, as curl prints it: what it says was so then
		for _, l := range t.undated {
			t.add(l.labels, model.Sample{Value: l.value})
		}
		t.Skipped -= untimed
	} else if untimed > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("%d samples have no time; they are not used", untimed))
	}
	t.undated = nil
	if t.Form == model.MetricOpenMetrics && !ended {
		t.Warnings = append(t.Warnings,
			"ends without # EOF: it is cut short, or promtool met a damaged chunk and stopped without a word; what comes later is missing")
	}
	return t, nil
}

// form distinguishes OpenMetrics, whose end is marked or whose times are seconds, from the two others.
func (t *Text) form(ended, typed bool) {
	if ended {
		t.Form = model.MetricOpenMetrics
	} else if t.Form == model.MetricExposition && !typed && t.Samples > t.Series() {
		t.Form = model.MetricDump
	}
}

var (
	errFull    = errors.New("holds more samples than are read of one file; the later ones are left out")
	errUntimed = errors.New("no time")
)

func (t *Text) sample(line string) error {
	l, dumped, err := parseLine(line)
	if l.labels.Get(model.MetricName) == AlertsMetric && l.stamp == "" || err != nil {
		if l, err = parseResult(line); err == nil && len(t.Unnamed) == maxUnnamed {
			t.Skipped++
			return nil
		} else if err == nil {
			t.Unnamed = append(t.Unnamed, l.unnamed())
			return nil
		}
	}
	if err != nil {
		t.Skipped++
		return err
	}
	if dumped {
		t.Form = model.MetricDump
	}
	ms, seconds, ok := stampOf(l.stamp)
	if !ok {
		if t.Skipped++; l.stamp == "" && len(t.undated) < maxUndated {
			t.undated = append(t.undated, l)
		}
		return errUntimed
	}
	if seconds && !dumped {
		t.Form = model.MetricOpenMetrics
	}
	s := model.Sample{At: instant(ms), Value: l.value}
	if math.IsNaN(l.value) && strings.HasPrefix(l.labels.Get(model.MetricName), "kube_") {
		s.Value, s.Stale = 0, true // promtool writes a stale marker as NaN; kube-state-metrics has no other
	}
	if !t.add(l.labels, s) {
		return errFull
	}
	return nil
}

// leastMilliseconds is the year 1973 in milliseconds, and 5138 in seconds.
const leastMilliseconds = 100_000_000_000

// stampOf reads a time: with a point it is seconds; a whole number is milliseconds when it is larger than seconds can be.
func stampOf(text string) (ms int64, seconds, ok bool) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > maxSeconds*1000 {
		return 0, false, false
	}
	if strings.Contains(text, ".") || v < leastMilliseconds {
		return int64(math.Round(v * 1000)), true, v <= maxSeconds
	}
	return int64(v), false, true
}
