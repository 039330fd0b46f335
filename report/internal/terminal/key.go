package terminal

import "github.com/gdamore/tcell/v3"

// keyName is the name of a key, or "" for one that has none here.
func keyName(e *tcell.EventKey) string {
	switch e.Key() {
	case tcell.KeyRune:
		if e.Modifiers()&tcell.ModCtrl != 0 {
			if e.Str() == "c" {
				return "ctrl-c"
			}
			return ""
		}
		if e.Str() == " " {
			return "space"
		}
		return e.Str()
	case tcell.KeyCtrlC:
		return "ctrl-c"
	case tcell.KeyEnter:
		return "enter"
	case tcell.KeyEscape:
		return "esc"
	case tcell.KeyTab:
		return "tab"
	case tcell.KeyLeft:
		return "left"
	case tcell.KeyRight:
		return "right"
	case tcell.KeyUp:
		return "up"
	case tcell.KeyDown:
		return "down"
	case tcell.KeyPgUp:
		return "pgup"
	case tcell.KeyPgDn:
		return "pgdn"
	case tcell.KeyHome:
		return "home"
	case tcell.KeyEnd:
		return "end"
	}
	return ""
}
