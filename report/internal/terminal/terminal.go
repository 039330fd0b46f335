// Package terminal shows a program of rows on a terminal and brings it the keys that are pressed.
//
// It knows nothing of reports. Rows are cells, not a stream: a control sequence in a text has no way to the terminal,
// no matter who wrote the text. The terminal is put back as it was when Run returns, however it returns.
package terminal

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v3"
	"github.com/volpost/volpost/model/words"
)

// Tone is what a text is, for a reader who sees it: its words say each, too.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Dim
	Strong
	Good
	Bad
	Warning
	Selected
)

// Piece is text of one tone.
type Piece struct {
	Text string
	Tone Tone
}

// Row is one line of the screen.
type Row []Piece

// Program is what is shown. Its functions are called by one goroutine.
type Program struct {
	// Frame draws the screen; what does not fit into width columns and height rows is cut off.
	Frame func(width, height int) []Row
	// Key takes a key by its name: a printable character as itself, else space, enter, esc, left, right, up, down, pgup,
	// pgdn, home, end, tab. It returns whether the program is over; ctrl-c always ends it.
	Key func(name string) (quit bool)
	// Tick gets how much time has passed since the last one.
	Tick func(time.Duration)
}

// pace is how often the screen is drawn.
const pace = 50 * time.Millisecond

// Run shows a program on the terminal that is the standard input and output until it or the context ends. Now is the clock.
func Run(ctx context.Context, p Program, now func() time.Time) error {
	screen, err := open()
	if err != nil {
		return err
	}
	if err := screen.Init(); err != nil {
		return err
	}
	defer screen.Fini()
	screen.HideCursor()
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	last := now()
	for {
		draw(screen, p.Frame)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			t := now()
			p.Tick(t.Sub(last))
			last = t
		case event, open := <-screen.EventQ():
			if !open || handle(screen, p, event) {
				return nil
			}
		}
	}
}

// handle gives a key to the program. It returns whether the program is over.
func handle(screen tcell.Screen, p Program, event tcell.Event) bool {
	switch e := event.(type) {
	case *tcell.EventResize:
		screen.Sync()
	case *tcell.EventKey:
		name := keyName(e)
		return name == "ctrl-c" || name != "" && p.Key(name)
	case *tcell.EventError:
		return true // the terminal has gone away
	}
	return false
}

// open takes the terminal that the program was started on, and asks it for nothing: a late answer would be taken for keys.
func open() (tcell.Screen, error) {
	options := []tcell.TerminfoScreenOption{tcell.OptSanitizeContent(true), tcell.OptNegotiation(false)}
	if tty, err := tcell.NewStdIoTty(); err == nil {
		return tcell.NewTerminfoScreenFromTty(tty, options...)
	}
	return tcell.NewScreen(options...)
}

// draw puts the rows into the cells of the screen.
func draw(screen tcell.Screen, frame func(width, height int) []Row) {
	screen.Clear()
	width, height := screen.Size()
	for y, row := range frame(width, height) {
		if y == height {
			break
		}
		x := 0
		for _, span := range row {
			x = put(screen, x, y, width, span)
		}
	}
	screen.Show()
}

// put writes a span, cell by cell, and returns the column behind it.
func put(screen tcell.Screen, x, y, width int, s Piece) int {
	style := styles[s.Tone]
	for rest := s.Text; rest != "" && x < width; {
		next, columns := screen.Put(x, y, rest, style)
		if len(next) >= len(rest) {
			break // nothing that can be shown
		}
		rest = next
		x += columns
	}
	return x
}

// styles are the looks of the tones, in colours that every theme has, light or dark. With NO_COLOR the attributes are left.
var styles = [...]tcell.Style{
	Plain:    tcell.StyleDefault,
	Dim:      tcell.StyleDefault.Dim(true),
	Strong:   tcell.StyleDefault.Bold(true),
	Good:     tcell.StyleDefault.Foreground(tcell.PaletteColor(2)),
	Bad:      tcell.StyleDefault.Foreground(tcell.PaletteColor(1)).Bold(true),
	Warning:  tcell.StyleDefault.Foreground(tcell.PaletteColor(3)),
	Selected: tcell.StyleDefault.Reverse(true),
}

// keyNames are the names of the keys that are no characters.
var keyNames = map[tcell.Key]string{ // for lookup only
	tcell.KeyCtrlC: "ctrl-c", tcell.KeyEnter: "enter", tcell.KeyEscape: "esc", tcell.KeyTab: "tab", tcell.KeyLeft: "left",
	tcell.KeyRight: "right", tcell.KeyUp: "up", tcell.KeyDown: "down", tcell.KeyPgUp: "pgup", tcell.KeyPgDn: "pgdn",
	tcell.KeyHome: "home", tcell.KeyEnd: "end",
}

// keyName is the name of a key, or "" for one that has none here.
func keyName(e *tcell.EventKey) string {
	switch control := e.Modifiers()&tcell.ModCtrl != 0; {
	case e.Key() != tcell.KeyRune:
		return keyNames[e.Key()]
	case control:
		return words.If(e.Str() == "c", "ctrl-c")
	case e.Str() == " ":
		return "space"
	}
	return e.Str()
}
