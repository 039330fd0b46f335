package table

import (
	"time"

	"github.com/volpost/volpost/model"
)

// instantLayouts are the ways in which kubectl prints an instant: custom columns and the generic describer as the API
// does, the describers of single kinds as mail does, in the zone of the terminal.
var instantLayouts = [...]string{time.RFC3339, time.RFC1123Z}

// instant reads an instant with its zone; zero when there is none, or when it is the zero time of Go, which kubectl
// prints as a date in the year 1.
func instant(s string) model.Moment {
	for _, layout := range instantLayouts {
		t, err := time.Parse(layout, s)
		if err != nil || t.Year() < 1970 {
			continue
		}
		if t.Nanosecond() != 0 {
			return model.Exactly(t)
		}
		return model.WholeSecond(t)
	}
	return model.Moment{}
}
