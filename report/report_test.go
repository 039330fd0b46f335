package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/volpost/volpost/model"
)

func render(t testing.TB, format string, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTmp(t *testing.T) {
	for _, f := range []string{"text", "dot", "svg", "json", "html"} {
		os.WriteFile("/tmp/h3-"+f, []byte(render(t, f, rich())), 0o644)
	}
	os.WriteFile("/tmp/h3-many.txt", []byte(render(t, "text", many(25))), 0o644)
	os.WriteFile("/tmp/h3-many.html", []byte(render(t, "html", many(200))), 0o644)
	os.WriteFile("/tmp/h3-none.html", []byte(render(t, "html", none())), 0o644)
	os.WriteFile("/tmp/h3-none.txt", []byte(render(t, "text", none())+render(t, "text", bare())), 0o644)
}
