// Mutants breaks the rules of a package one at a time and counts how many of the breaks its own tests find.
//
//	go run ./analyze/internal/mutants [-n 100] [-seed 1] [-for 2m] [-atleast 85] ./analyze/decision …
//
// All mutants of a package are compiled into one test binary and switched on one after the other, so that what does not compile is
// none, and a run takes as long as the package's tests. A mutant that no test reaches survives without a run.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 0, "so many mutants of each package, drawn; 0 is all")
	seed := flag.Uint64("seed", 1, "of the draw")
	atLeast := flag.Float64("atleast", 0, "fail below this percentage of killed mutants")
	limit := flag.Duration("for", 0, "stop after this time, spent evenly on the packages; 0 is no limit")
	flag.Parse()
	low := false
	for _, dir := range flag.Args() {
		p, err := load(dir)
		if err == nil {
			err = p.build()
		}
		if err == nil {
			err = p.test(*n, *seed, *limit/time.Duration(flag.NArg()))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, dir+":", err)
			os.Exit(2)
		}
		low = p.report() < *atLeast || low
		os.RemoveAll(p.temp)
	}
	if low {
		fmt.Printf("less than %.0f %% of a package's mutants were killed\n", *atLeast)
		os.Exit(1)
	}
}

// mutant is one way to break a rule.
type mutant struct {
	place, what string
	tried       bool
	killed      bool
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
func (p *pkg) test(n int, seed uint64, limit time.Duration) error {
	if n == 0 || n > len(p.mutants) {
		n = len(p.mutants)
	}
	ids := rand.New(rand.NewPCG(seed, 0)).Perm(len(p.mutants))[:n]
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
		cmd := exec.Command(filepath.Join(p.temp, "test"), "-test.timeout=30s")
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "MUTANTS="+todo, "MUTANTS_UNTIL="+stop)
		pipe, err := cmd.StderrPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		done := p.results(bufio.NewScanner(pipe))
		if err := cmd.Wait(); err == nil {
			return nil
		}
		if done < 0 {
			return fmt.Errorf("the tests fail without a mutant")
		}
		p.mutants[ids[done]].tried, p.mutants[ids[done]].killed = true, true // it ended the process
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
			p.mutants[id-1].tried, p.mutants[id-1].killed = true, word == "killed"
		}
	}
	return done
}

// report prints the survivors and the rate, and returns it.
func (p *pkg) report() float64 {
	tried, killed := 0, 0
	var alive []string
	for _, m := range p.mutants {
		if !m.tried {
			continue
		}
		if tried++; m.killed {
			killed++
		} else {
			alive = append(alive, m.place+": "+m.what)
		}
	}
	slices.Sort(alive)
	fmt.Println(strings.Join(alive, "\n"))
	rate := 100 * float64(killed) / float64(max(tried, 1))
	fmt.Printf("%s: %d of %d tried mutants killed, %.1f %% (of %d)\n", p.dir, killed, tried, rate, len(p.mutants))
	return rate
}
