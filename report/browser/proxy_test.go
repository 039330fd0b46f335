package browser_test

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// proxy notes the first line of each request that the browser makes and answers none: the network is off.
type proxy struct {
	address string
	mu      sync.Mutex
	lines   []string
}

func listen(t *testing.T) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &proxy{address: fmt.Sprintf("http://%s", l.Addr())}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.note(conn)
		}
	}()
	return p
}

// note leaves out what the browser asks its maker for: that is not a page's doing.
func (p *proxy) note(conn net.Conn) {
	defer conn.Close()
	buffer := make([]byte, 512)
	n, _ := conn.Read(buffer)
	line, _, _ := strings.Cut(string(buffer[:n]), "\r\n")
	if line == "" || strings.Contains(line, "google") || strings.Contains(line, "gvt1.com") {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line)
}

func (p *proxy) seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.lines...)
}

// The two witnesses of requests do see one.
func TestRequestIsSeen(t *testing.T) {
	b := start(t)
	tb := b.open(t, `data:text/html,<!doctype html><img src="http://picture.test/x.png">`)
	if err := chromedp.Do(tb.ctx, chromedp.Query(chromedp.CSS("img"))); err != nil {
		t.Fatal(err)
	}
	if lines := b.proxy.seen(); len(lines) == 0 {
		t.Error("a page with a picture from elsewhere made no request that the proxy saw")
	}
	if asked := tb.requests(); len(asked) == 0 {
		t.Error("a page with a picture from elsewhere made no request that the browser told of")
	}
}
