package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// grace is how long work may take to end in order after a signal: reading gives up what it holds, and the replay restores the terminal.
// Nothing else receives a signal.
const grace = 150 * time.Millisecond

var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// untilSignal is a context that a signal ends; a program that then still runs is ended, without its temporary files. done ends the watch.
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

// temporary is what lies on the disk and must not stay there when a signal ends the program. A nil one keeps no account.
type temporary struct {
	mu    sync.Mutex
	paths map[string]bool
}

// create makes a file or a directory. It is taken down from the moment that it exists.
func (t *temporary) create(make func() (string, error)) (string, error) {
	if t == nil {
		return make()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	path, err := make()
	if err == nil {
		t.paths[path] = true
	}
	return path, err
}

// forget drops a file that is gone, or that has become the output.
func (t *temporary) forget(path string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.paths, path)
}

// remove removes all of it, and from then on lets nothing more come to be.
func (t *temporary) remove() {
	t.mu.Lock()
	for path := range t.paths {
		for range 3 { // a file may come into a directory while it is removed
			if os.RemoveAll(path) == nil {
				break
			}
		}
	}
}

// scratch makes a directory for what is read of archives with metrics.
func (a app) scratch() (string, error) {
	return a.temporary.create(func() (string, error) { return os.MkdirTemp("", "volpost-metrics-") })
}
