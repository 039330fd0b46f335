package readback

import (
	"bytes"
	"encoding/json"
	"errors"
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
	var out model.FleetReport
	named := slices.DeleteFunc(members, func(m strictjson.Member) bool { return m.Name == "schema" })
	err = fleetPart(without(data, named).bytes, &out)
	for _, m := range named {
		if m.Name == "incidents" && err == nil {
			err = fleetPart(data[m.Start:m.End], &out.Incidents)
		}
	}
	if err != nil {
		return nil, unread(0, hintAgain, "is no report that can be summed up: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 200))
	}
	return &out, nil
}

// fleetPart decodes a part of a report.
func fleetPart(data []byte, into any) error {
	if bytes.Count(data, []byte("{")) > maxFleetObjects {
		return errors.New("too many objects")
	}
	return json.Unmarshal(data, into)
}

// maxFleetObjects bounds the memory of one report's incidents. Two thousand of them have fewer than a million objects.
const maxFleetObjects = 2 << 20
