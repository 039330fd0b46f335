// Mutants breaks the rules of a package one at a time and counts how many of the breaks its own tests find.
//
//	go run -C .ci/mutants . [-n 100] [-seed 1] [-for 2m] [-atleast 85] [-only 'node.go:86'] ./analyze/decision …
//
// All mutants of a package are compiled into one test binary and switched on one after the other, so that what does not compile is
// none, and a run takes as long as the package's tests. A mutant that no test reaches survives without a run.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 0, "so many mutants of each package, drawn; 0 is all")
	seed := flag.Uint64("seed", 1, "of the draw")
	atLeast := flag.Float64("atleast", 0, "fail when less than this percentage of all that were tried is killed")
	limit := flag.Duration("for", 0, "stop after this time, spent evenly on the packages; 0 is no limit")
	only := flag.String("only", "", "the mutants of which a line of the report matches this expression")
	flag.Parse()
	if err := os.Chdir("../.."); err != nil { // go run -C leaves it in its own folder
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	tried, killed := 0, 0
	for _, dir := range flag.Args() {
		p, err := load(dir)
		if err == nil {
			err = p.build()
		}
		if err == nil {
			err = p.test(wanted, *n, *seed, *limit/time.Duration(flag.NArg()))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, dir+":", err)
			os.Exit(2)
		}
		t, k := p.report()
		tried, killed = tried+t, killed+k
		os.RemoveAll(p.temp)
	}
	fmt.Printf("all: %d of %d tried mutants killed, %.1f %%\n", killed, tried, percent(killed, tried))
	if percent(killed, tried) < *atLeast {
		os.Exit(1)
	}
}

// mutant is one way to break a rule.
type mutant struct {
	place, what string
	result      string // of the tests: killed, survived or unreached; empty when it was not tried
}

func (m mutant) String() string {
	if m.result == "unreached" {
		return m.place + ": " + m.what + ", which no test reaches"
	}
	return m.place + ": " + m.what
}

// build compiles the mutants and the package's tests into one binary.
func (p *pkg) build() error {
	overlay := map[string]string{}
	for name, text := range p.files {
		path := filepath.Join(p.temp, filepath.Base(name))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
		overlay[name] = path
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	list := filepath.Join(p.temp, "overlay.json")
	if err := os.WriteFile(list, data, 0o600); err != nil {
		return err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", filepath.Join(p.temp, "test"), p.dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// test draws mutants and tries them. A process that one of them ends begins again with the next.
func (p *pkg) test(only *regexp.Regexp, n int, seed uint64, limit time.Duration) error {
	ids := slices.DeleteFunc(rand.New(rand.NewPCG(seed, 0)).Perm(len(p.mutants)), func(id int) bool {
		return !only.MatchString(p.mutants[id].String())
	})
	if n > 0 && n < len(ids) {
		ids = ids[:n]
	}
	until := time.Now().Add(limit)
	for len(ids) > 0 {
		todo := ""
		for _, id := range ids {
			todo += fmt.Sprintf("%d,", id+1)
		}
		stop := ""
		if limit > 0 {
			stop = until.Format(time.RFC3339Nano)
		}
		// A rule that is broken may loop and take all of the machine's memory before its time is over.
		cmd := exec.Command("sh", "-c", `ulimit -v 8388608; exec "$0" "$@"`, filepath.Join(p.temp, "test"), "-test.short", "-test.timeout=10m")
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "MUTANT_LIST="+todo, "MUTANT_UNTIL="+stop)
		var said bytes.Buffer
		cmd.Stdout = &said
		pipe, err := cmd.StderrPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		done := p.results(bufio.NewScanner(io.TeeReader(pipe, &said)))
		if err := cmd.Wait(); err == nil {
			return nil
		}
		if done < 0 {
			return fmt.Errorf("the tests fail without a mutant\n%s", &said)
		}
		p.mutants[ids[done]].result = "killed" // it ended the process
		ids = ids[done+1:]
	}
	return nil
}

// results reads the lines of a test process: how many mutants it came to the end of, -1 when not even the tests without one passed.
func (p *pkg) results(s *bufio.Scanner) int {
	done := -1
	for s.Scan() {
		var id int
		var word string
		if _, err := fmt.Sscanf(s.Text(), "mutant %d %s", &id, &word); err != nil {
			continue
		}
		if done++; id > 0 {
			p.mutants[id-1].result = word
		}
	}
	return done
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// report prints the survivors and the rate.
func (p *pkg) report() (tried, killed int) {
	var alive []string
	for _, m := range p.mutants {
		if m.result == "" {
			continue
		}
		if tried++; m.result == "killed" {
			killed++
		} else {
			alive = append(alive, m.String())
		}
	}
	slices.Sort(alive)
	fmt.Println(strings.Join(alive, "\n"))
	fmt.Printf("%s: %d of %d tried mutants killed, %.1f %% (of %d)\n",
		filepath.Base(p.dir), killed, tried, percent(killed, tried), len(p.mutants))
	return tried, killed
}
