package readback

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/strictjson"
)

// Fleet reads what a fleet needs. Most of a report is timeline and quotes, of which only the form is checked.
func Fleet(data []byte) (*model.FleetReport, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	members, err := checkForm(data)
	if err != nil {
		return nil, err
	}
	rest := without(data, slices.DeleteFunc(members, func(m strictjson.Member) bool { return m.Name == "incidents" || len(m.Cuts) == 0 })).bytes
	if bytes.Count(rest, []byte("{")) > maxFleetObjects {
		return nil, unread(0, hintAgain, "is no report that can be summed up: too many objects")
	}
	var out model.FleetReport
	if err := json.Unmarshal(rest, &out); err != nil {
		return nil, unread(0, hintAgain, "is no report that can be summed up: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 200))
	}
	return &out, nil
}

// maxFleetObjects bounds the memory of one report's incidents. Two thousand of them have fewer than a million objects.
const maxFleetObjects = 2 << 20
