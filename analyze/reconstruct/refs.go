package reconstruct

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// refs are references in the order in which they came, each object once, with its UID where one of them names it.
type refs struct {
	list []model.Ref
	at   map[model.Ref]int // the first of a name, without its UID, and each with its UID, in list
}

func refsOf(list ...model.Ref) refs {
	var out refs
	out.add(list...)
	return out
}

func (s *refs) add(list ...model.Ref) {
	if s.at == nil {
		s.at = map[model.Ref]int{}
	}
	for _, r := range list {
		if r.Name == "" {
			continue
		}
		i := s.find(r)
		if i < 0 {
			i = len(s.list)
			s.list = append(s.list, r)
			if _, known := s.at[anonymous(r)]; !known {
				s.at[anonymous(r)] = i
			}
		}
		if s.list[i].UID == "" {
			s.list[i].UID = r.UID
		}
		if r.UID != "" {
			s.at[r] = i
		}
	}
}

func anonymous(r model.Ref) model.Ref {
	r.UID = ""
	return r
}

// find is the first that can be the same object, as Ref.Is has it; -1 for none.
func (s refs) find(r model.Ref) int {
	i, known := s.at[anonymous(r)]
	if known && r.UID != "" && s.list[i].UID != "" {
		i, known = s.at[r]
	}
	if !known {
		return -1
	}
	return i
}

func (s refs) has(r model.Ref) bool { return s.find(r) >= 0 }

func (s refs) hasAny(list []model.Ref) bool { return slices.ContainsFunc(list, s.has) }
