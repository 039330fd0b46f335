package readback

import (
	"bytes"
	"encoding/json"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/strictjson"
)

// limits are what a report may consist of: it has a dozen levels, and that of two thousand incidents nine million values.
var limits = strictjson.Limits{Depth: 64, Values: 16 << 20, Together: 4 << 20, Number: 400, Piece: 1 << 20}

// schemaOf is the schema that a report names; empty when it names none.
func schemaOf(data []byte, members []strictjson.Member) string {
	var name string
	for _, m := range members {
		if m.Name == "schema" && json.Unmarshal(data[m.Start:m.End], &name) != nil {
			return "" // no text
		}
	}
	return name
}

// faultOf says what is wrong with JSON that cannot be used at all.
func faultOf(data []byte, f *strictjson.Fault) error {
	line := lineAt(data, f.Offset)
	switch f.Reason {
	case strictjson.CutOff:
		return unread(line, hintAgain, "ends in the middle of the report: it was cut off")
	case strictjson.Trailing:
		return unread(line, "give one report at a time", "goes on after the end of the report")
	case strictjson.TooDeep:
		return unread(line, hintReport, "is nested more than %d levels deep, and a report is not", limits.Depth)
	case strictjson.TooMany:
		return unread(line, "render fewer incidents at a time", "has more than %s values", words.Number(limits.Values))
	case strictjson.TooManyTogether:
		return unread(line, "render fewer incidents at a time", "has more than %s values outside of its lists, or in one element of them", words.Number(limits.Together))
	case strictjson.HugeNumber:
		return unread(line, hintAgain, "has a number of more than %d digits, or with an exponent of more than three, and a report has none", limits.Number)
	case strictjson.KeyTwice:
		return unread(line, hintAgain, "has the key %q twice in one object", words.Shorten(words.OneLine(words.Visible(f.Key)), 60))
	}
	reason := "what begins here is no value"
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		reason = words.Visible(err.Error())
	}
	return unread(line, hintAgain, "is no JSON: %s", reason)
}

// lineAt is the line of an offset, from 1.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}
