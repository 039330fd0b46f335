package main

import "github.com/volpost/volpost/model/words"

// diffReading is one of the two things that are compared.
type diffReading struct {
	path   string
	report bool // not a bundle
	said   saidFlags
}

// sayOf gives each bundle what the user says of it: the year and the zone of logs hold for both, and each has its own time of
// collection.
func sayOf(readings *[2]diffReading, flags diffFlags) error {
	var bundles []*diffReading
	for i := range readings {
		if !readings[i].report {
			readings[i].said = flags.said
			bundles = append(bundles, &readings[i])
		}
	}
	times := flags.collected
	if len(bundles) == 0 {
		said := flags.said
		if len(times) > 0 {
			said.collectedAt = times[0]
		}
		if flag := said.given(); flag != "" {
			return ofReport(flag, readings[0].path)
		}
		return nil
	}
	if len(times) > 0 && len(times) != len(bundles) {
		return usagef("--collected-at is given %s, and what is compared has %s", repeated(len(times)), words.Count(len(bundles), "bundle")).
			hinted("give it once for each bundle, in their order; a JSON report has its time")
	}
	for i, text := range times {
		bundles[i].said.collectedAt = text
	}
	for _, b := range bundles {
		if _, err := b.said.parse(); err != nil {
			return err // before anything is read
		}
	}
	return nil
}

func repeated(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return words.Count(n, "time")
}

// ofReport refuses a flag that is about reading a bundle.
func ofReport(flag, path string) error {
	return usagef("%s is for a bundle, and %s is a report, whose times are settled", flag, clean(path)).hinted("volpost analyze BUNDLE %s … makes another report", flag)
}
