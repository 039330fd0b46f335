package browser_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var take = flag.Bool("screenshot", false, "take the README's pictures of a report again (make screenshot)")

// readmeBudget is what the README's pictures may weigh together, in bytes: a reader loads them before the first word.
const readmeBudget = 280_000

// readmePictures are parts of the report on the recording that the README tries, and on one that was still open, by file and by selector.
var readmePictures = []struct{ file, sample, part string }{
	{"verdict.png", "node-deleted", "#verdict"},
	{"waterfall.png", "node-deleted", ".pair:has(.chart)"},
	{"open.png", "node-lost-nobody-acts", "#verdict"},
}

// TestReadmePictures keeps the README's pictures there and small. They are taken by hand: fonts differ from machine to
// machine.
func TestReadmePictures(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "img")
	if *take {
		takePictures(t, dir)
	}
	sum := 0
	for _, p := range readmePictures {
		data, err := os.ReadFile(filepath.Join(dir, p.file))
		if err != nil {
			t.Fatalf("%v; make screenshot takes it", err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", p.file, err)
		}
		if size := picture.Bounds().Size(); size.X < 800 || size.Y < 200 {
			t.Errorf("%s has a size of %v", p.file, size)
		}
		sum += len(data)
	}
	if sum > readmeBudget {
		t.Errorf("the pictures have %d bytes, want at most %d", sum, readmeBudget)
	}
}

func takePictures(t *testing.T, dir string) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	b := start(t)
	tb, beyond := b.tab(t), true
	for _, picture := range readmePictures {
		p := write(t, t.TempDir(), "readme", sampled(t, picture.sample))
		tb.do(chromedp.EmulateViewport(1100, 900), chromedp.Navigate(p.url()))
		area := eval[cdppage.Viewport](tb, `(() => {
			const r = document.querySelector('`+picture.part+`').getBoundingClientRect();
			return {x: r.x + scrollX - 8, y: r.y + scrollY - 8, width: r.width + 16, height: r.height + 16, scale: 1};
		})()`)
		shot := call(tb, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Clip: &area, CaptureBeyondViewport: &beyond})
		if err := os.WriteFile(filepath.Join(dir, picture.file), fewColours(t, shot.Data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fewColours writes a picture again with the 256 most frequent of its colours, at five bits each, and the nearest of them for
// every other: text on a plain ground has few.
func fewColours(t *testing.T, data []byte) []byte {
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	bounds := picture.Bounds()
	counts := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[fiveBits(picture.At(x, y))]++
		}
	}
	colours := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		if n := counts[b] - counts[a]; n != 0 {
			return n
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	var palette color.Palette
	for _, c := range colours[:min(256, len(colours))] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(bounds, palette)
	draw.Draw(small, bounds, picture, bounds.Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fiveBits rounds a colour so that 0 and 255 stay what they are.
func fiveBits(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	round := func(v uint32) uint8 { return uint8(v>>8&0xf8 | v>>13) }
	return color.RGBA{round(r), round(g), round(b), 255}
}
