package html

import (
	"testing"

	"github.com/volpost/volpost/report/internal/view"
)

// Two sources of one fact are one row; the same words a minute later are another fact.
func TestTimelineRows(t *testing.T) {
	r := rich()
	repeat := r.Timeline[3]
	repeat.ID, repeat.At = "later", at(400)
	r.Timeline = append(r.Timeline, repeat)
	p, err := newHTMLPage(view.New(r), budgetFor(1))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, row := range p.Rows {
		if row.Text == repeat.Text {
			rows++
		}
	}
	if rows != 2 || len(p.Rows) != len(r.Timeline)-1 {
		t.Errorf("%d rows for two facts of three observations, %d in all", rows, len(p.Rows))
	}
	if row := p.Rows[3]; len(row.Cites) != 2 || len(row.Also) != 1 {
		t.Errorf("the row does not name both sources: %+v", row)
	}
}
