package logline

import "bytes"

// clock is the time of a header: civil time without year and zone for klog text, an instant for JSON.
type clock struct {
	month, day, hour, minute, second, nanos int
	instant                                 int64 // JSON, logrus and logfmt only: Unix microseconds
}

// header is a parsed line beginning. Places are indices into the line, so that the line may be copied.
type header struct {
	clock              clock
	json               bool
	logrus             bool
	logfmt             bool
	bare               bool // there is no header: the wrapper has all that is known
	thread             bool // it has the id of a thread
	fileStart, fileEnd int
	text, textEnd      int // of the message; an end of 0 is that of the record
}

// message is that of a line with the header.
func (h *header) message(line []byte) []byte {
	if h.textEnd > 0 {
		line = line[:h.textEnd]
	}
	return line[h.text:]
}

// parseKlog reads `Lmmdd hh:mm:ss.uuuuuu threadid file:line] ` (klog v0–v2). The thread id is padded to seven places; posts often keep
// one blank of the padding, or lose the id.
func parseKlog(b []byte) (h header, ok bool) {
	if len(b) < 24 || b[5] != ' ' || b[8] != ':' || b[11] != ':' || b[14] != '.' || !isLevel(b[0]) || !parseCivil(b, &h.clock) {
		return h, false
	}
	var i int
	h.clock.nanos, i = fraction(b, 14)
	if i < 18 || i >= len(b) || b[i] != ' ' {
		return h, false
	}
	i = skipBlanks(b, i)
	end := skipDigits(b, i)
	if h.thread = end > i && end < len(b) && b[end] == ' '; h.thread {
		i = skipBlanks(b, end)
	}
	return h, parsePlace(b, i, &h)
}

// parseCivil reads month, day and time of the header.
func parseCivil(b []byte, c *clock) bool {
	bad := byte(0)
	c.month, c.day = int(two(b[1], b[2], &bad)), int(two(b[3], b[4], &bad))
	return c.timeOfDay(b[6:], &bad) && c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31
}

// timeOfDay reads `hh:mm:ss`, which may be a leap second. What stands between is the caller's to look at.
func (c *clock) timeOfDay(b []byte, bad *byte) bool {
	c.hour, c.minute, c.second = int(two(b[0], b[1], bad)), int(two(b[3], b[4], bad)), int(two(b[6], b[7], bad))
	return *bad <= 9 && c.hour <= 23 && c.minute <= 59 && c.second <= 60
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
	return true
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func parseHeader(b []byte) (header, bool) {
	if len(b) > 0 && b[0] == '{' {
		return parseJSON(b)
	}
	return parseKlog(b)
}
