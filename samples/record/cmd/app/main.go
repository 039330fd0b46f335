// App is the lab's workload, and as pause the process that holds a pod's namespaces. It appends a line each second to a file on its volume,
// with fsync, and prints it: a recording shows what a real writer saw.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	if filepath.Base(os.Args[0]) == "pause" {
		pause()
		return
	}
	data := flag.String("data", "", "file to append to")
	stop := flag.Duration("stop", time.Second, "what it takes to stop after SIGTERM")
	life := flag.Duration("life", 0, "end by itself after this time; 0: never")
	flag.Parse()
	if err := serve(*data, *stop, *life); err != nil {
		say("FATAL", "%v", err)
		os.Exit(1)
	}
}

func say(level, format string, args ...any) {
	fmt.Println(time.Now().UTC().Format("2006-01-02 15:04:05.000"), level, fmt.Sprintf(format, args...))
}

func serve(path string, stop, life time.Duration) error {
	j, err := open(path)
	if err != nil {
		return err
	}
	say("INFO", "ready to accept connections")
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	var over <-chan time.Time
	if life > 0 {
		over = time.After(life)
	}
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-term:
			say("INFO", "received SIGTERM, writing a checkpoint")
			time.Sleep(stop)
			return j.close()
		case <-over:
			say("INFO", "the work is done")
			return j.close()
		case <-tick.C:
			j.append()
		}
	}
}

// journal is the file on the volume; without a volume it is nothing.
type journal struct {
	f             *os.File
	host          string
	lines, faults int
}

func open(path string) (*journal, error) {
	j := new(journal)
	if path == "" {
		return j, nil
	}
	j.host, _ = os.Hostname()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	say("INFO", "opening %s (%d bytes)", path, len(b))
	j.f, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return j, err
}

func (j *journal) append() {
	if j.f == nil {
		return
	}
	j.lines++
	_, err := fmt.Fprintf(j.f, "%s %s %d\n", time.Now().UTC().Format(time.RFC3339Nano), j.host, j.lines)
	if err == nil {
		err = j.f.Sync()
	}
	switch {
	case err != nil:
		if j.faults++; j.faults <= 5 { // more would say nothing new
			say("ERROR", "record %d: %v", j.lines, err)
		}
	case j.lines%30 == 0:
		say("INFO", "%d records written", j.lines)
	}
}

func (j *journal) close() error {
	say("INFO", "stopped after %d records", j.lines)
	if j.f == nil {
		return nil
	}
	if err := j.f.Sync(); err != nil {
		return err
	}
	return j.f.Close()
}
