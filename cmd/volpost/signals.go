package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long the work has to end in order when a signal asks for it: reading gives up what it holds, and the replay
// gives the terminal back. Nothing else hears of a signal.
const grace = 150 * time.Millisecond

// ending are the signals that end the program.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// untilSignal is a context that a signal ends. If the program has not ended soon after, it is ended, without what it has
// on the disk. The function that comes with it is called when the work is done.
func (a app) untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range ending {
		if !signal.Ignored(s) { // as nohup wants it
			signal.Notify(signals, s)
		}
	}
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		cancel()
		select {
		case <-done:
			return
		case <-time.After(grace):
		}
		a.temporary.remove()
		os.Exit(a.finish(failf("interrupted")))
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
