//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/gdamore/tcell/v3/vt"
	"golang.org/x/term"
)

// terminal is a program on a pseudo-terminal, with an emulator that keeps what it shows.
type terminal struct {
	t     *testing.T
	c     *exec.Cmd
	file  *os.File // the side of the person
	slave *os.File // the side of the program
	ended chan error

	mu            sync.Mutex
	screen        vt.MockTerm
	raw           strings.Builder
	width, height int
}

// onPseudoTerminal starts the program on a terminal of a size.
func onPseudoTerminal(t *testing.T, width, height int, args ...string) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, file: master, slave: slave, ended: make(chan error, 1), width: width, height: height,
		screen: vt.NewMockTerm(vt.MockOptSize{X: vt.Col(width), Y: vt.Row(height)})}
	if err := x.screen.Start(); err != nil {
		t.Fatal(err)
	}
	x.c = exec.Command(binary(t), args...)
	x.c.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1")
	x.c.Stdin, x.c.Stdout, x.c.Stderr = slave, slave, slave
	x.c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.c.Start(); err != nil {
		t.Fatal(err)
	}
	go x.read()
	go func() { x.ended <- x.c.Wait() }()
	t.Cleanup(func() {
		x.c.Process.Kill()
		slave.Close()
		master.Close()
	})
	return x
}

func (x *terminal) read() {
	buffer := make([]byte, 32<<10)
	for {
		n, err := x.file.Read(buffer)
		x.mu.Lock()
		x.raw.Write(buffer[:n])
		x.screen.Write(buffer[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shown is what the screen shows now.
func (x *terminal) shown() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for y := range x.height {
		for c := range x.width {
			if s := x.screen.GetCell(vt.Coord{X: vt.Col(c), Y: vt.Row(y)}).C; s != "" {
				b.WriteString(s)
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// await waits until the screen shows a text.
func (x *terminal) await(want string) {
	x.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(x.shown(), want) {
		if time.Now().After(deadline) {
			x.t.Fatalf("the screen never shows %q:\n%s", want, x.shown())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.file.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// exit waits for the end of the program and returns its exit code.
func (x *terminal) exit() int {
	x.t.Helper()
	select {
	case <-x.ended:
		return x.c.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		x.t.Fatalf("the program does not end:\n%s", x.shown())
	}
	return -1
}

// TestReplayOnATerminal drives the replay with keys as a person does.
func TestReplayOnATerminal(t *testing.T) {
	x := onPseudoTerminal(t, 80, 24, "replay", "sample:force-delete", "--speed", "1")
	before := state(t, x)
	x.await("playing 1x")
	x.press(" ")
	x.await("paused 1x")
	x.press("5") // the wait for the unmount
	x.await("unmount-wait 0 s")
	x.await("timer runs 0 s of 6 min")
	x.press("]")
	x.await("the detach has begun and is not done")
	x.press("\x1b[C") // an event further
	x.press("\r")
	x.await("other event")
	x.await("observed")
	x.press("q")
	x.await("q quit")
	x.press("?")
	x.await("PgUp PgDn")
	x.press("\x1b")
	x.await("timeline:")
	x.press("++G")
	x.await("end 5x")
	x.await("attached to the new node")

	if err := pty.Setsize(x.file, &pty.Winsize{Rows: 10, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	x.mu.Lock()
	x.width, x.height = 40, 10
	x.screen.SetSize(vt.Coord{X: 40, Y: 10})
	x.mu.Unlock()
	x.await("? help · q quit")
	x.await("volume is attached to the new node")

	x.press("q")
	if code := x.exit(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	x.restored(before)
	if raw := x.raw.String(); strings.Contains(raw, "\x1b[31m") || strings.Contains(raw, "38;5") {
		t.Error("it has colours, in spite of NO_COLOR")
	}
}

// TestAnswerFitsATerminal: the answer and all that is said beside it leave thirty rows and the one of the cursor.
func TestAnswerFitsATerminal(t *testing.T) {
	binary(t) // where the source is
	t.Chdir(t.TempDir())
	x := onPseudoTerminal(t, 80, 31, "analyze", "sample:node-deleted")
	if code := x.exit(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	x.await("--full prints everything")
	if shown := x.shown(); !strings.HasPrefix(shown, "RESOLVED") || strings.Contains(shown, "wrote") {
		t.Errorf("the screen shows\n%s", shown)
	}
	if _, err := os.Stat(defaultFile); err != nil {
		t.Error(err)
	}
}

// TestReplayLeavesTheTerminalAsItWas: ended by ctrl-c or by a signal, at the worst moment.
func TestReplayLeavesTheTerminalAsItWas(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*terminal)
		code int
	}{
		{"ctrl-c", func(x *terminal) { x.press("\x03") }, exitOK},
		{"SIGTERM", func(x *terminal) { x.c.Process.Signal(syscall.SIGTERM) }, exitFailed},
		{"SIGINT", func(x *terminal) { x.c.Process.Signal(os.Interrupt) }, exitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := onPseudoTerminal(t, 80, 24, "replay", "sample:clean", "--incident", "1")
			if x.exit() != exitFailed {
				t.Error("a bundle without incident is played")
			}
			x = onPseudoTerminal(t, 80, 24, "replay", "sample:statefulset")
			before := state(t, x)
			x.await("playing 60x")
			c.end(x)
			if code := x.exit(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			x.restored(before)
		})
	}
}

// state is the terminal's own state: echo, line editing and what else the program changes. It is taken at once after the
// start, long before the program touches it.
func state(t *testing.T, x *terminal) *term.State {
	t.Helper()
	s, err := term.GetState(int(x.slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// restored wants the terminal's state of before, and its ordinary screen with the cursor.
func (x *terminal) restored(before *term.State) {
	x.t.Helper()
	if after := state(x.t, x); !reflect.DeepEqual(before, after) {
		x.t.Errorf("the terminal is left in another state:\n%+v\n%+v", before, after)
	}
	last := func(what string) int { return strings.LastIndex(x.written(), what) }
	for range 400 { // what was written last is still to be read
		if last("\x1b[?1049l") > last("\x1b[?1049h") && last("\x1b[?25h") > last("\x1b[?25l") {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	x.t.Errorf("the other screen is not left, or the cursor stays hidden: %q", x.written())
}

// written is what the program wrote, as far as it was read.
func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// TestReplayPrintsElsewhere: what is no terminal on both sides gets lines.
func TestReplayPrintsElsewhere(t *testing.T) {
	x := onPseudoTerminal(t, 80, 24, "replay", "sample:rollout-surge", "--plain", "--speed", "max")
	if code := x.exit(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	time.Sleep(50 * time.Millisecond)
	x.mu.Lock()
	defer x.mu.Unlock()
	if raw := x.raw.String(); strings.Contains(raw, "\x1b[?1049h") || !strings.Contains(raw, "T+00:00.0") {
		t.Errorf("--plain on a terminal: %q", raw)
	}
}
