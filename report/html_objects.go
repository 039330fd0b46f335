package report

import "github.com/volpost/volpost/model"

// objectNumbers gives each object a number, from 1, the first time that the timeline names it: its place in the datalist
// "objects". A number, since each row has some and a VolumeAttachment's name has 68 characters.
func (p *htmlPage) objectNumbers(list []model.Ref) []int {
	var out []int
	for _, r := range list {
		name := oneLine(r.Kind + " " + r.String())
		n, known := p.objectNumber[name]
		if !known {
			p.Objects = append(p.Objects, name)
			n = len(p.Objects)
			p.objectNumber[name] = n
		}
		out = append(out, n)
	}
	return out
}
