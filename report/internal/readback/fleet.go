package readback

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// maxFleetObjects bounds the memory of one report's incidents. Two thousand of them have fewer than a million objects.
const maxFleetObjects = 2 << 20

// Fleet reads what a fleet needs. Most of a report is timeline and quotes, of which only the form is checked.
func Fleet(data []byte) (*model.FleetReport, error) {
	f, err := checkForm(bytes.TrimPrefix(data, []byte("\ufeff")), pieceBytes)
	if err != nil {
		return nil, err
	}
	var out model.FleetReport
	err, objects := json.Unmarshal(f.rest, &out), bytes.Count(f.rest, []byte("{"))
	for _, p := range f.pieces {
		if err != nil || p.list != "incidents" {
			continue
		}
		if objects += bytes.Count(p.text, []byte("{")); objects > maxFleetObjects {
			err = errors.New("too many objects")
			break
		}
		var more []model.FleetIncident
		err = json.Unmarshal(p.array(), &more)
		out.Incidents = append(out.Incidents, more...)
	}
	if err != nil {
		return nil, unread(0, hintAgain, "is no report that can be summed up: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 200))
	}
	return &out, nil
}
