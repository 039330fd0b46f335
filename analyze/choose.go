package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

// IncidentNames are the names that an incident goes by. Claim is NAMESPACE/NAME, and empty where none is known.
type IncidentNames struct {
	ID, Claim, Volume string
}

// NamesOf are the names of an incident.
func NamesOf(id string, v model.IncidentVolume) IncidentNames {
	names := IncidentNames{ID: id, Volume: cmp.Or(v.PersistentVolume, v.UniqueName)}
	if v.Claim != nil && v.Claim.Name != "" {
		names.Claim = v.Claim.String()
	}
	return names
}

// ChooseIncident finds an incident by number from 1, ID, claim or volume; without a name the only one. Its error is a *QuestionError.
func ChooseIncident(all []IncidentNames, name string) (int, error) {
	if len(all) == 0 {
		return 0, &QuestionError{Msg: "the bundle has no incident", Hint: "volpost analyze says what was read"}
	}
	if name == "" && len(all) == 1 {
		return 0, nil
	}
	if name == "" {
		return 0, &QuestionError{fmt.Sprintf("the bundle has %d incidents", len(all)), "--incident names one: " + IncidentChoices(all), len(all)}
	}
	var found []int
	for n, i := range all {
		if i.ID == name || strconv.Itoa(n+1) == name {
			return n, nil
		}
		_, claim, _ := strings.Cut(i.Claim, "/")
		if slices.Contains([]string{i.Claim, claim, i.Volume}, name) {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return 0, &QuestionError{fmt.Sprintf("there is no incident %q", name), "known: " + IncidentChoices(all), len(all)}
	case 1:
		return found[0], nil
	}
	return 0, &QuestionError{fmt.Sprintf("%s has %d incidents", name, len(found)),
		"--incident names one by its number or ID: " + IncidentChoices(all), len(all)}
}

// IncidentChoices lists the first incidents of a bundle.
func IncidentChoices(all []IncidentNames) string {
	const most = 5
	var out []string
	for n, i := range all[:min(len(all), most)] {
		out = append(out, fmt.Sprintf("%d, %s or %s", n+1, i.ID, cmp.Or(i.Claim, i.Volume)))
	}
	if more := len(all) - most; more > 0 {
		out = append(out, fmt.Sprintf("and %d more, which volpost analyze lists", more))
	}
	return strings.Join(out, "; ")
}
