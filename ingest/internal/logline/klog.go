package logline

import "bytes"

// clock is the time of a header: civil time without year and zone for klog text, an instant for JSON.
type clock struct {
	month, day, hour, minute, second, nanos int
	instant                                 int64 // JSON, logrus and logfmt only: Unix microseconds
}

// header is a parsed line beginning. file and thread are indices into the line, so that the line may be copied.
type header struct {
	clock                  clock
	severity               byte
	json                   bool
	logrus                 bool
	logfmt                 bool
	bare                   bool // there is no header: the wrapper has all that is known
	fileStart, fileEnd     int
	threadStart, threadEnd int
	text                   int // where the message begins
	textEnd                int // JSON: where msg ends; klog text: -1, the message goes to the end of the record
}

// parseKlog reads `Lmmdd hh:mm:ss.uuuuuu threadid file:line] ` (klog v0–v2). The thread id is padded to seven places;
// posts often keep one blank of the padding, or lose the id.
func parseKlog(b []byte) (h header, ok bool) {
	if len(b) < 24 || b[5] != ' ' || b[8] != ':' || b[11] != ':' || b[14] != '.' {
		return h, false
	}
	switch b[0] {
	case 'I', 'W', 'E', 'F':
	default:
		return h, false
	}
	h.severity = b[0]
	if !parseCivil(b, &h.clock) {
		return h, false
	}
	var i int
	h.clock.nanos, i = fraction(b, 14)
	if i < 18 || i >= len(b) || b[i] != ' ' {
		return h, false
	}
	i = skipBlanks(b, i)
	for h.threadStart = i; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
	}
	if i > h.threadStart && i < len(b) && b[i] == ' ' {
		h.threadEnd = i
		i = skipBlanks(b, i)
	} else {
		i, h.threadEnd = h.threadStart, h.threadStart
	}
	return h, parsePlace(b, i, &h)
}

// parseCivil reads month, day and time of the header.
func parseCivil(b []byte, c *clock) bool {
	var ok [5]bool
	c.month, ok[0] = digits(b[1:3])
	c.day, ok[1] = digits(b[3:5])
	c.hour, ok[2] = digits(b[6:8])
	c.minute, ok[3] = digits(b[9:11])
	c.second, ok[4] = digits(b[12:14])
	return ok == [5]bool{true, true, true, true, true} &&
		c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31 && c.hour <= 23 && c.minute <= 59 && c.second <= 60
}

// maxPlace bounds the length of "file:line" (klog has base names; with --add_dir_header one directory more).
const maxPlace = 160

// parsePlace reads `file:line] ` from b[i:]. The message begins after the bracket and one blank.
func parsePlace(b []byte, i int, h *header) bool {
	end := bytes.IndexByte(b[i:min(len(b), i+maxPlace)], ']')
	if end < 0 {
		return false
	}
	place := b[i : i+end]
	colon := bytes.LastIndexByte(place, ':')
	if colon <= 0 {
		return false
	}
	if _, ok := digits(place[colon+1:]); !ok || bytes.IndexByte(place[:colon], ' ') >= 0 {
		return false
	}
	h.fileStart, h.fileEnd = i, i+colon
	if slash := bytes.LastIndexByte(place[:colon], '/'); slash >= 0 {
		h.fileStart += slash + 1
	}
	h.text = i + end + 1
	if h.text < len(b) && b[h.text] == ' ' {
		h.text++
	}
	h.textEnd = -1
	return true
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}
