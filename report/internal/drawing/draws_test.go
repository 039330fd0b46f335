package drawing

import (
	"context"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// Of what the engine gives, a page gets what draws: no script, no style, no link, no handler, no address, no entity of its own.
func TestOnlyWhatDraws(t *testing.T) {
	raw := `<!DOCTYPE svg [<!ENTITY x "y">]><svg viewBox="0 0 9 9" onload="a()" xmlns:xlink="http://www.w3.org/1999/xlink"><script>a()</script><style>@import "b"</style>
		<g id="x-n1" onclick="a()" class="c"><title>&lt;b></title><a xlink:href="javascript:a()"><text x="1" y="url(b)" style="c">Pod</text></a>
		<image href="b"/><foreignObject><p>hi</p></foreignObject><path d="M0,0" fill="url(#b)" stroke="red&quot; onload=&quot;a()"/><use href="#x"/></g></svg>`
	given := func(context.Context, string) (string, error) { return raw, nil }
	svg, err := Draw(given, view.Picture{Nodes: []model.GraphNode{{ID: "1", Kind: "Pod", Name: "<i>p"}}}, "x", "Objects", false)
	if err != nil {
		t.Fatal(err)
	}
	isXML(t, svg)
	_, body, _ := strings.Cut(svg, "</desc>")
	want := `<g class="node" id="x-n1"><title>Pod &lt;i&gt;p</title><text x="1" font-size="9">Pod</text><path d="M0,0"/></g>`
	if got := strings.ReplaceAll(body, "\n", ""); got != want+"</svg>" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
