package table

import (
	"time"

	"github.com/volpost/volpost/model"
)

// instantLayouts are how kubectl prints an instant: as the API does, or as mail does, in the zone of the terminal.
var instantLayouts = [...]string{time.RFC3339, time.RFC1123Z}

// instant reads an instant with its zone; zero for none, and for the zero time of Go, which is printed as a date in the year 1.
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
