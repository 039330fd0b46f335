package main

import (
	"os"
	"sync"
)

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

// forget is told that a file is gone, or has become what was asked for.
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
