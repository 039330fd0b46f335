package words

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Seconds writes a duration in its two largest units, "14 min 14 s", below ten seconds with a tenth.
func Seconds(seconds float64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	if math.IsNaN(seconds) || seconds > 1e10 {
		return sign + "very long"
	}
	whole := int64(math.Round(seconds))
	switch {
	case seconds == 0:
		return "0 s"
	case seconds < 0.05:
		return fmt.Sprintf("%s%d ms", sign, max(1, int64(math.Round(seconds*1000))))
	case seconds < 9.95:
		return sign + strings.TrimSuffix(fmt.Sprintf("%.1f", seconds), ".0") + " s"
	case whole < 60:
		return fmt.Sprintf("%s%d s", sign, whole)
	case whole < 3600:
		return sign + units(whole/60, "min", whole%60, "s")
	case whole < 86400:
		return sign + units(whole/3600, "h", whole%3600/60, "min")
	}
	return sign + units(whole/86400, "d", whole%86400/3600, "h")
}

// units leaves the smaller unit out where there are none of it.
func units(large int64, name string, small int64, of string) string {
	if small == 0 {
		return fmt.Sprintf("%d %s", large, name)
	}
	return fmt.Sprintf("%d %s %d %s", large, name, small, of)
}

// Whole is Seconds without a tenth.
func Whole(seconds float64) string { return Seconds(math.Round(seconds)) }

// Duration is Whole of a time.Duration.
func Duration(d time.Duration) string { return Whole(d.Seconds()) }

// Spelled writes what a log or a setting spells as Go does, "6m0s", or in one unit, "360 s", and leaves any other text.
func Spelled(text string) string {
	d, err := time.ParseDuration(strings.Replace(text, " ", "", 1))
	if err != nil {
		return text
	}
	return Duration(d)
}
