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
	if len(b) < 24 || !isLevel(b[0]) || !h.clock.parseCivil(b) || b[14] != '.' {
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

// parseCivil reads month, day and time of the header, behind its letter.
func (c *clock) parseCivil(b []byte) bool {
	if !fits(b, "A0000 00:00:00") {
		return false
	}
	c.month, c.day = two(b[1:]), two(b[3:])
	return c.timeOfDay(b[6:])
}

// timeOfDay reads `hh:mm:ss`, which may be a leap second, and reports whether month, day and time are ones.
func (c *clock) timeOfDay(b []byte) bool {
	c.hour, c.minute, c.second = two(b), two(b[3:]), two(b[6:])
	date := uint(c.month-1) < 12 && uint(c.day-1) < 31
	day := c.hour < 24 && c.minute < 60 && c.second <= 60
	return date && day
}

// ofMonth is how many nanoseconds have passed since the clock's month began.
func (c *clock) ofMonth() int64 {
	return int64((((c.day-1)*24+c.hour)*60+c.minute)*60+c.second) * 1e9
}

// fits reports whether bytes begin in a form, in which 0 stands for a digit and A for anything.
func fits(b []byte, form string) bool {
	if len(b) < len(form) {
		return false
	}
	for i := range len(form) {
		switch form[i] {
		case 'A':
		case '0':
			if b[i]-'0' > 9 {
				return false
			}
		default:
			if b[i] != form[i] {
				return false
			}
		}
	}
	return true
}

// two is the number that two digits write.
func two(b []byte) int { return int(b[0]-'0')*10 + int(b[1]-'0') }

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
	number := place[colon+1:]
	if skipDigits(number, 0) < max(len(number), 1) || bytes.IndexByte(place[:colon], ' ') >= 0 {
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
