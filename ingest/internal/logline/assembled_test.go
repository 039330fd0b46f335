package logline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// parts of lines, of which assembled makes lines that are in some form, nearly in one, or in none.
var parts = [][]string{
	{"[pod/a-0/manager] ", "[pod/a-0/manager] ", "[pod/b/c] ", "[pod/b] ", "[pod/b/c]", "pod-a-0 manager ", "pod-a-0 manager ",
		"ns pod-a-0 manager ", "pod-a-0 ", "a b ",
		"ns/pod-a-0[manager]: ", "dir/pod-a-0.log:", "INFO ", "Pod-A manager ", "pod-a-0 manager of it "},
	{"Mar 14 09:26:53 cp-0 kubelet[81]: ", "Mar 14 09:26:53.841223 cp-0 kubelet[81]: ", "Mar  4 09:26:53 cp-0 k3s: ",
		"Feb 14 09:26:53 cp-0 k3s[1]: ", "Mar 14 09:26:53: INFO: ",
		"Mar 14 09:26:53 cp-0 kubelet[81]:", "Mar 99 09:26:53 cp-0 kubelet[81]: "},
	{"cp-0 kubelet[81]: ", "cp-0 kubelet: ", "h u[1]: ", "host-a Unit x: "},
	{"stderr F ", "stdout F ", "stderr P ", "stderr F:x ", "stderr  "},
	{"\x1b[36m", " ", "\t", "]: ", "\r", `{"log":"`, "1773489600.5 ", "{", "stream kube-controller-manager-0123456789abcdef0123456789abcdef "},
}

// header is one in klog's text or JSON, or what looks like one.
func assembledHeader(r *rand.Rand, at time.Time) string {
	clock, file := at.Format("0102 15:04:05.000000"), strings.Repeat("f", 1+r.IntN(6))
	switch r.IntN(16) {
	case 0:
		return fmt.Sprintf(`{"ts":%d.%03d,"caller":"d/%s.go:1","msg":"m","v":0}`, at.UnixMilli(), r.IntN(1000), file)
	case 1:
		return "I" + clock + " " + file + ".go:1] no thread"
	case 2:
		return "no header"
	case 3:
		return ""
	}
	text := []string{"x", `"quoted" k="v"`, "", " \\ ", "a[123]: I0314 09:26:53.000000       1 in.go:1] y", "tail\r", `\"`,
		"pod: z"}[r.IntN(8)]
	return fmt.Sprintf("%c%s %7d %s.go:%d] %s", "IWEF"[r.IntN(4)], clock, r.IntN(9), file, r.IntN(99), text)
}

// assembled is a log of lines in forms that change now and then, with lines in between that are in none.
func assembled(r *rand.Rand) string {
	var b strings.Builder
	zones := []*time.Location{time.UTC, time.UTC, newYork, tokyo}
	at, form := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC), []int{}
	zone, docker := zones[r.IntN(4)], false
	for range 10 + r.IntN(60) {
		at = at.Add(time.Duration(r.IntN(2e6)-2e5) * time.Microsecond)
		if r.IntN(12) == 0 {
			form, zone, docker = nil, zones[r.IntN(4)], r.IntN(4) == 0
			for range r.IntN(4) {
				form = append(form, r.IntN(40)) // of which those beyond the parts are time stamps
			}
		}
		line := ""
		for _, f := range form {
			if f >= 3*len(parts) {
				line += at.In(zone).Format([]string{"2006-01-02T15:04:05.999999999Z07:00 ", "2006-01-02T15:04:05-0700 ",
					"2006-01-02 15:04:05.000 "}[f%7%3])
				continue
			}
			some := parts[f%len(parts)]
			if line += some[f*7%len(some)]; r.IntN(20) == 0 {
				line += some[r.IntN(len(some))]
			}
		}
		line += assembledHeader(r, at)
		if docker {
			line = strings.TrimSuffix(dockerLine(at, line), "\n")
		}
		if r.IntN(25) == 0 && len(line) > 0 { // somebody changed a byte
			i := r.IntN(len(line))
			line = line[:i] + string(" ]:\\\"\rF0a{"[r.IntN(10)]) + line[i+1:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Lines that are nearly in a form are read as each by itself is.
func TestSkipAssembled(t *testing.T) {
	passed := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := lead(seed%2 == 0) + assembled(r)
		n, _ := sameWithSkip(t, text, []int{0, 1, 500, 3000}[seed%4], func(*Stretch) bool { return false })
		passed += n
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, text[len(lead(seed%2 == 0)):])
		}
	}
	if passed < 1000 {
		t.Errorf("%d records passed over", passed)
	}
}
