package report

import (
	"context"
	"fmt"
	"html"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// The page opened in a browser: it shows the verdict, and asks nobody for anything.
func TestBrowser(t *testing.T) {
	browser := chromium(t)
	for _, c := range []struct {
		name   string
		report *model.Report
	}{{"rich", rich()}, {"hostile", hostile()}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "report.html")
			if err := os.WriteFile(file, []byte(render(t, "html", c.report)), 0o644); err != nil {
				t.Fatal(err)
			}
			asked := listen(t)
			dom, log := open(t, browser, dir, file, asked.address)
			for _, want := range []string{"Where the time went", "Blocking VolumeAttachment", visible(c.report.Incidents[0].Causes[0].Summary)} {
				if !strings.Contains(html.UnescapeString(dom), want) {
					t.Errorf("the page in the browser lacks %q", want)
				}
			}
			for _, bad := range []string{"Refused to", "violates the following Content Security Policy"} {
				if strings.Contains(log, bad) {
					t.Errorf("the page tried what its policy forbids:\n%s", log)
				}
			}
			if strings.Contains(dom, "<script") {
				t.Error("the page in the browser has a script")
			}
			if lines := asked.all(); len(lines) > 0 {
				t.Errorf("the browser asked for %q", lines)
			}
		})
	}
}

// The listener that the test above trusts does see a request.
func TestBrowserRequestIsSeen(t *testing.T) {
	browser, dir := chromium(t), t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(`<!doctype html><img src="http://picture.test/x.png">`), 0o644); err != nil {
		t.Fatal(err)
	}
	asked := listen(t)
	open(t, browser, dir, file, asked.address)
	if lines := asked.all(); len(lines) == 0 {
		t.Error("a page with a picture from elsewhere made no request that the test can see")
	}
}

// chromium finds the browser.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short: no browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed: the page was not opened in a browser")
	return ""
}

// open loads a file with every request going to the proxy, and returns the document and what the browser logged.
func open(t *testing.T, browser, dir, file, proxy string) (dom, log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-default-apps", "--disable-extensions", "--enable-logging=stderr", "--proxy-server="+proxy,
		"--virtual-time-budget=3000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	return out.String(), errors.String()
}

// requests notes the first line of each connection.
type requests struct {
	address string
	mu      sync.Mutex
	lines   []string
}

func (r *requests) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

// listen is a proxy that answers nothing and notes what it was asked for. What the browser asks its maker for is not the
// page's doing.
func listen(t *testing.T) *requests {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	r := &requests{address: fmt.Sprintf("http://%s", l.Addr())}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go r.note(conn)
		}
	}()
	return r
}

func (r *requests) note(conn net.Conn) {
	defer conn.Close()
	buffer := make([]byte, 512)
	n, _ := conn.Read(buffer)
	line, _, _ := strings.Cut(string(buffer[:n]), "\r\n")
	if line == "" || strings.Contains(line, "google") || strings.Contains(line, "gvt1.com") {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}
