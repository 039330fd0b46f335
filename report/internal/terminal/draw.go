package terminal

import "github.com/gdamore/tcell/v3"

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

// put writes a span, cell by cell, and answers the column behind it.
func put(screen tcell.Screen, x, y, width int, s Span) int {
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

// styles are the looks of the tones. Only the colours that every theme has are used, and none for what is plain: terminals
// are light or dark. With NO_COLOR the attributes are what is left.
var styles = [...]tcell.Style{
	Plain:    tcell.StyleDefault,
	Dim:      tcell.StyleDefault.Dim(true),
	Strong:   tcell.StyleDefault.Bold(true),
	Good:     tcell.StyleDefault.Foreground(tcell.PaletteColor(2)),
	Bad:      tcell.StyleDefault.Foreground(tcell.PaletteColor(1)).Bold(true),
	Warning:  tcell.StyleDefault.Foreground(tcell.PaletteColor(3)),
	Selected: tcell.StyleDefault.Reverse(true),
}
