//go:build unix

package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/volpost/volpost/samples/recordings"
)

// program draws a picture. It lies where every user can run it.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "volpost-graphviz")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", file, "./testdata/program")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return file, nil
})

func TestMain(m *testing.M) {
	Release()
	code := m.Run()
	if file, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// command runs the program as a user with an environment of its own.
func command(t *testing.T, uid int, env ...string) *exec.Cmd {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file)
	cmd.Dir, cmd.Env = "/", env
	if uid != os.Geteuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	return cmd
}

func run(t *testing.T, uid int, env ...string) string {
	t.Helper()
	out, err := command(t, uid, env...).CombinedOutput()
	if err != nil {
		t.Fatalf("user %d with %v: %v\n%s", uid, env, err, out)
	}
	return string(out)
}

// nobody is a user other than root on every Unix.
const nobody = 65534

// secluded makes a directory that only this user can write to, and no parent of which somebody else can write to, as the
// home of a user is. /tmp is none.
func secluded(t *testing.T) string {
	t.Helper()
	base := "/var"
	if os.Geteuid() != 0 {
		base = os.Getenv("HOME")
	}
	dir, err := os.MkdirTemp(base, "volpost-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if _, ok := below(filepath.Join(dir, "tried")); ok {
		return dir
	}
	t.Skipf("needs a directory that nobody else can write to, and %s is none", base)
	return ""
}

// home makes a home of a user.
func home(t *testing.T, parent, name string, uid int) string {
	t.Helper()
	dir := filepath.Join(parent, name)
	for _, d := range []string{dir, filepath.Join(dir, ".cache")} {
		if err := errors.Join(os.Mkdir(d, 0o755), os.Chown(d, uid, uid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// kept are the directories with compiled code in a cache directory, which are whole.
func kept(cache string) (out []string) {
	dirs, _ := filepath.Glob(filepath.Join(cache, "volpost-wasm", "[0-9a-f]*"))
	for _, dir := range dirs {
		if whole(dir) {
			out = append(out, dir)
		}
	}
	return out
}

// Two users of one host draw for the first time at the same time, and again with what was kept.
func TestTwoUsersOfOneHost(t *testing.T) {
	if !recordings.Long || os.Geteuid() != 0 {
		t.Skip("a short test, or not root: cannot run the program as a second user")
	}
	dir := secluded(t)
	homes := map[int]string{0: home(t, dir, "root", 0), nobody: home(t, dir, "nobody", nobody)}
	for range 2 {
		var started []*exec.Cmd
		for _, uid := range []int{0, nobody, 0, nobody} {
			cmd := command(t, uid, "HOME="+homes[uid])
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			started = append(started, cmd)
		}
		for i, cmd := range started {
			if err := cmd.Wait(); err != nil {
				t.Errorf("run %d: %v", i, err)
			}
		}
	}
	for uid, home := range homes {
		files, _ := os.ReadDir(filepath.Join(home, ".cache", "volpost-wasm"))
		if sums, _ := filepath.Glob(filepath.Join(home, ".cache", "volpost-wasm", "*", sumFile)); len(files) != 1 || len(sums) != 1 {
			t.Errorf("user %d: %s holds %v, want one directory with a checksum", uid, home, files)
		}
	}
}

// sudo leaves the HOME of another user to root, who can exchange whatever is in it at any time. Nothing in it is used, not even
// what belongs to root.
func TestHomeOfAnotherUser(t *testing.T) {
	if !recordings.Long || os.Geteuid() != 0 {
		t.Skip("a short test, or not root: cannot run the program as a second user")
	}
	foreign := home(t, secluded(t), "nobody", nobody)
	cache := filepath.Join(foreign, ".cache")
	run(t, 0, "HOME="+foreign)
	if err := os.Mkdir(filepath.Join(cache, "volpost-wasm"), 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "HOME="+foreign)
	if files, _ := os.ReadDir(filepath.Join(cache, "volpost-wasm")); len(files) != 0 {
		t.Errorf("root keeps code in the home of another user: %v", files)
	}
	// The other way round: a directory that this user cannot read, and code that a third one has put there.
	run(t, nobody, "HOME="+foreign)
	if err := os.Chown(filepath.Join(cache, "volpost-wasm"), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	run(t, nobody, "HOME="+foreign)
	dirs, _ := filepath.Glob(filepath.Join(cache, "volpost-wasm", "[0-9a-f]*"))
	if len(dirs) != 1 {
		t.Fatalf("the user keeps %v", dirs)
	}
	sum, err := os.ReadFile(filepath.Join(dirs[0], sumFile))
	if err != nil || string(sum) == "" {
		t.Fatal(err)
	}
	if whole(dirs[0]) { // this test runs as root
		t.Error("root would run code that belongs to another user")
	}
}

// TestBelow takes a directory and spoils one thing at a time.
func TestBelow(t *testing.T) {
	parent := filepath.Join(secluded(t), "parent")
	cache := filepath.Join(parent, "cache")
	usable := func() bool { _, ok := below(cache); return ok }
	if !usable() {
		t.Fatal("a new directory is not usable")
	}
	own := filepath.Join(cache, "volpost-wasm")
	for _, c := range []struct {
		name, path string
		mode       os.FileMode
		want       bool
	}{
		{"readable for all", parent, 0o755, true},
		{"parent of a group", parent, 0o770, false},
		{"parent of all", parent, 0o777, false},
		{"parent like /tmp", parent, 0o777 | os.ModeSticky, false},
		{"cache of a group", cache, 0o770, false},
		{"directory of all", own, 0o777, false},
	} {
		chmod(t, c.path, c.mode)
		if got := usable(); got != c.want {
			t.Errorf("%s: usable %t, want %t", c.name, got, c.want)
		}
		chmod(t, c.path, 0o700)
	}
	// A link on the way is followed where nobody else can exchange it; volpost's own directory is none.
	if err := errors.Join(os.Rename(cache, cache+"2"), os.Symlink("cache2", cache)); err != nil {
		t.Fatal(err)
	}
	if dir, ok := below(cache); !ok || dir != filepath.Join(cache+"2", "volpost-wasm") {
		t.Errorf("a link to the cache directory leads to %q, %t", dir, ok)
	}
	own = filepath.Join(cache+"2", "volpost-wasm")
	if err := errors.Join(os.Rename(own, own+"2"), os.Symlink(own+"2", own)); err != nil {
		t.Fatal(err)
	}
	if usable() {
		t.Error("a link in place of volpost's directory is followed")
	}
	if err := errors.Join(os.Remove(cache), os.Symlink("cache", cache)); err != nil {
		t.Fatal(err)
	}
	if usable() {
		t.Error("a link to itself is followed")
	}
	for i := range 25 {
		if err := os.Symlink(fmt.Sprintf("link%d", i), filepath.Join(parent, fmt.Sprintf("link%d", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("cache2/..", filepath.Join(parent, "link0")); err != nil {
		t.Fatal(err)
	}
	for links, want := range map[int]bool{3: true, 25: false} {
		if _, ok := below(filepath.Join(parent, fmt.Sprintf("link%d", links))); ok != want {
			t.Errorf("a chain of %d links: usable %t", links, ok)
		}
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// TestWhole spoils what is kept, one thing at a time.
func TestWhole(t *testing.T) {
	fresh := t.TempDir()
	code := filepath.Join(fresh, "go-graphviz", "wazero", "code")
	kept := fresh + "-kept"
	if err := errors.Join(os.MkdirAll(filepath.Dir(code), 0o700), os.WriteFile(code, []byte("machine code"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if whole(fresh) {
		t.Error("what has no checksum is whole")
	}
	file(fresh, kept)
	code = filepath.Join(kept, "go-graphviz", "wazero", "code")
	if !whole(kept) {
		t.Fatal("what was filed is not whole")
	}
	for name, spoil := range map[string]func() error{
		"nothing":     func() error { return nil },
		"changed":     func() error { return os.WriteFile(code, []byte("machine Code"), 0o600) },
		"cut short":   func() error { return os.WriteFile(code, []byte("machine"), 0o600) },
		"empty":       func() error { return os.WriteFile(code, nil, 0o600) },
		"for all":     func() error { return os.Chmod(code, 0o666) },
		"one more":    func() error { return os.WriteFile(code+"2", nil, 0o600) },
		"not there":   func() error { return os.Remove(code) },
		"a link":      func() error { return errors.Join(os.Remove(code), os.Symlink("/etc/hostname", code)) },
		"no checksum": func() error { return os.Remove(filepath.Join(kept, sumFile)) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if got := whole(kept); got != (name == "nothing") {
			t.Errorf("%s: whole %t", name, got)
		}
		again := t.TempDir()
		os.RemoveAll(kept)
		if err := errors.Join(os.MkdirAll(filepath.Join(again, "go-graphviz", "wazero"), 0o700),
			os.WriteFile(filepath.Join(again, "go-graphviz", "wazero", "code"), []byte("machine code"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if file(again, kept); !whole(kept) {
			t.Fatalf("%s: not filed anew", name)
		}
	}
}

// Without any usable directory the program draws, and keeps nothing.
func TestNoUsableDirectory(t *testing.T) {
	for _, env := range recordings.Sweep([][]string{
		{"TMPDIR=/proc", "HOME=/proc"},
		{"TMPDIR=/dev/null"},
		{"TMPDIR=relative", "HOME=relative", "XDG_CACHE_HOME=relative"},
		{"TMPDIR=/does/not/exist", "HOME=/proc/does/not/exist"},
	}) {
		uid := os.Geteuid()
		if uid == 0 {
			uid = nobody // root can make /does/not/exist
		}
		run(t, uid, env...)
	}
}

// The first run keeps the code, and the second takes it as it is.
func TestKeptInHome(t *testing.T) {
	home := secluded(t)
	cache := filepath.Join(home, ".cache")
	if runtime.GOOS == "darwin" {
		cache = filepath.Join(home, "Library", "Caches")
	}
	var first os.FileInfo
	for range 3 {
		run(t, os.Geteuid(), "HOME="+home)
		dirs := kept(cache)
		if len(dirs) != 1 {
			t.Fatalf("the cache directory of the user holds %v, want one directory that is whole", dirs)
		}
		info, err := os.Stat(dirs[0])
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = info
		}
		if !os.SameFile(info, first) {
			t.Error("a run that finds code keeps it anew")
		}
	}
}

// What is left of a run that was killed goes with the next one that keeps code.
func TestLeftOver(t *testing.T) {
	home := secluded(t)
	base, ok := below(filepath.Join(home, ".cache"))
	if !ok {
		t.Fatal("no directory")
	}
	old, young := filepath.Join(base, "new-1"), filepath.Join(base, "new-2")
	err := errors.Join(os.Mkdir(old, 0o700), os.Mkdir(young, 0o700), os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	run(t, os.Geteuid(), "HOME="+home)
	if _, err := os.Stat(old); err == nil {
		t.Error("what a killed run has left stays")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("what a running one works at is removed")
	}
}

// What was kept and is no longer whole is not run, and does not stay.
func TestBrokenCode(t *testing.T) {
	home := secluded(t)
	want := run(t, os.Geteuid(), "XDG_CACHE_HOME="+home)
	files, _ := filepath.Glob(filepath.Join(home, "volpost-wasm", "*", "*", "*", "*"))
	if len(files) != 1 {
		t.Fatalf("no compiled code was kept: %v", files)
	}
	code := files[0]
	intact, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{"empty": {}, "cut short": intact[:len(intact)/2], "one bit": flipped(intact)} {
		if err := os.WriteFile(code, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, os.Geteuid(), "XDG_CACHE_HOME="+home); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if again, err := os.ReadFile(code); err != nil || len(again) != len(intact) || !whole(kept(home)[0]) {
			t.Errorf("%s: %d bytes are kept anew, want %d (%v)", name, len(again), len(intact), err)
		}
	}
}

// The guard comes before what it guards, in the program's own words; and the temporary directory is the user's again.
func TestOrder(t *testing.T) {
	var trace strings.Builder
	cmd := command(t, os.Geteuid(), "GODEBUG=inittrace=1", "TMPDIR=/the/users", "HOME="+secluded(t))
	cmd.Stderr = &trace
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	if !strings.Contains(string(out), "/the/users") {
		t.Errorf("the temporary directory is not given back: %s", out)
	}
	guard, guarded := strings.Index(trace.String(), "report/internal/graphviz/guard @"), strings.Index(trace.String(),
		"go-graphviz/internal/wasm @")
	if guard < 0 || guarded < guard {
		t.Errorf("the guard is initialised at %d, what it guards at %d of\n%s", guard, guarded, trace.String())
	}
}

// Another program keeps code of its own, whatever it is called.
func TestBuild(t *testing.T) {
	first := filepath.Join(t.TempDir(), "program")
	sums := map[uint64]bool{}
	for _, text := range []string{"one", "two", ""} {
		if err := os.WriteFile(first, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		sum, ok := addStart(1, first, 64<<10)
		if sums[sum] = true; !ok && text != "" {
			t.Errorf("%q is not read", text)
		}
	}
	if len(sums) != 3 {
		t.Errorf("three programs have %d names", len(sums))
	}
	if a, ok := build(); !ok || len(a) != 16 {
		t.Errorf("this program is called %q, %t", a, ok)
	}
	if _, ok := addStart(1, first+"2", 64<<10); ok {
		t.Error("a program that is not there has a name")
	}
	if _, err := os.Stat("/proc/cpuinfo"); err == nil && processor(1) == 1 {
		t.Error("the processor is not in the name")
	}
}

// Of many programs the oldest goes.
func TestTidy(t *testing.T) {
	base := t.TempDir()
	for i := range builds + 2 {
		dir := filepath.Join(base, hex(uint64(i)))
		at := time.Now().Add(-time.Duration(i) * time.Minute)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Chtimes(dir, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	tidy(base)
	left, err := os.ReadDir(base)
	if err != nil || len(left) != builds-1 || left[len(left)-1].Name() != hex(builds-2) {
		t.Errorf("%v are left (%v)", left, err)
	}
}

func flipped(code []byte) []byte {
	out := slices.Clone(code)
	out[len(out)/2] ^= 1
	return out
}
