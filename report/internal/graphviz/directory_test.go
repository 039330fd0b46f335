//go:build unix

package graphviz

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
	if s, ok := descend(filepath.Join(dir, "tried")); ok {
		s.close()
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

// kept are the files with compiled code below a directory.
func kept(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	return files
}

// Two users of one host draw for the first time at the same time, and again with what was kept.
func TestTwoUsersOfOneHost(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot run the program as a second user")
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
		if files := kept(filepath.Join(home, ".cache", fmt.Sprintf("volpost-wasm-%d", uid))); len(files) != 1 {
			t.Errorf("%s holds %v, want one file", home, files)
		}
	}
}

// sudo leaves the HOME of another user to root, who can exchange whatever is in it at any time. Nothing in it is used, not even
// what belongs to root.
func TestHomeOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot run the program as a second user")
	}
	dir := secluded(t)
	foreign := home(t, dir, "nobody", nobody)
	run(t, 0, "HOME="+foreign)
	for _, own := range []bool{false, true} {
		if own { // as an earlier version has made it
			if err := os.Mkdir(filepath.Join(foreign, ".cache", "volpost-wasm-0"), 0o700); err != nil {
				t.Fatal(err)
			}
			run(t, 0, "HOME="+foreign)
		}
		if files, _ := filepath.Glob(filepath.Join(foreign, ".cache", "*", "*", "*")); len(files) != 0 {
			t.Errorf("root keeps code in the home of another user: %v", files)
		}
	}
	// The other way round: a home that belongs to root with a directory that this user has left open once.
	run(t, nobody, "HOME="+foreign)
	planted := kept(filepath.Join(foreign, ".cache", "volpost-wasm-65534"))
	if len(planted) != 1 {
		t.Fatalf("the user keeps %v", planted)
	}
	if err := os.Chown(planted[0], 1, 1); err != nil {
		t.Fatal(err)
	}
	if s, ok := descend(filepath.Dir(filepath.Dir(planted[0]))); ok {
		s.close()
		t.Error("code that belongs to a third user would be run")
	}
}

// TestDescend takes a directory and spoils one thing at a time.
func TestDescend(t *testing.T) {
	parent := filepath.Join(secluded(t), "parent")
	dir := filepath.Join(parent, "dir")
	code := filepath.Join(dir, "wazero-1", "code")
	if err := errors.Join(os.MkdirAll(filepath.Dir(code), 0o700), os.WriteFile(code, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	usable := func() bool {
		s, ok := descend(dir)
		if ok {
			s.close()
		}
		return ok
	}
	for _, c := range []struct {
		name, path string
		mode       os.FileMode
		want       bool
	}{
		{"readable for all", parent, 0o755, true},
		{"parent of a group", parent, 0o770, false},
		{"parent of all", parent, 0o777, false},
		{"parent like /tmp", parent, 0o777 | os.ModeSticky, false},
		{"directory of a group", dir, 0o770, false},
		{"directory of all", filepath.Dir(code), 0o777, false},
		{"code of all", code, 0o666, false},
		{"code for all to read", code, 0o644, true},
	} {
		info, err := os.Stat(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(c.path, c.mode); err != nil {
			t.Fatal(err)
		}
		if got := usable(); got != c.want {
			t.Errorf("%s: usable %t, want %t", c.name, got, c.want)
		}
		if err := os.Chmod(c.path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Rename(dir, dir+"2"), os.Symlink("dir2", dir)); err != nil {
		t.Fatal(err)
	}
	if usable() {
		t.Error("a link is followed")
	}
}

// Without any usable directory the program draws, and keeps nothing.
func TestNoUsableDirectory(t *testing.T) {
	for _, env := range [][]string{
		{"TMPDIR=/proc", "HOME=/proc"},
		{"TMPDIR=/dev/null"},
		{"TMPDIR=relative", "HOME=relative", "XDG_CACHE_HOME=relative"},
		{"TMPDIR=/does/not/exist", "HOME=/proc/does/not/exist"},
	} {
		uid := os.Geteuid()
		if uid == 0 {
			uid = nobody // root can make /does/not/exist
		}
		run(t, uid, env...)
	}
}

func TestDirectoryInHome(t *testing.T) {
	home := secluded(t)
	run(t, os.Geteuid(), "HOME="+home)
	cache := filepath.Join(home, ".cache")
	if runtime.GOOS == "darwin" {
		cache = filepath.Join(home, "Library", "Caches")
	}
	if files, _ := filepath.Glob(filepath.Join(cache, "volpost-wasm-*", "wazero-*", "*")); len(files) != 1 {
		t.Errorf("the cache directory of the user holds %v, want one file", files)
	}
}

// What was kept and is no longer whole is not run, and does not stay.
func TestBrokenCode(t *testing.T) {
	home := secluded(t)
	want := run(t, os.Geteuid(), "XDG_CACHE_HOME="+home, "HOME="+home)
	var code string
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			code = path
		}
		return err
	})
	if err != nil || code == "" {
		t.Fatalf("no compiled code was kept: %v", err)
	}
	whole, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{
		"empty":     {},
		"cut short": whole[:len(whole)/2],
		"one bit":   flipped(whole),
		"foreign":   []byte(strings.Repeat("no machine code\n", 1000)),
	} {
		if err := os.WriteFile(code, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, os.Geteuid(), "XDG_CACHE_HOME="+home, "HOME="+home); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if _, err := os.Stat(code); err == nil {
			t.Errorf("%s: what is broken stays", name)
		}
		run(t, os.Geteuid(), "XDG_CACHE_HOME="+home, "HOME="+home)
		if again, err := os.ReadFile(code); err != nil || len(again) != len(whole) {
			t.Errorf("%s: %d bytes are kept anew, want %d (%v)", name, len(again), len(whole), err)
		}
	}
}

func flipped(code []byte) []byte {
	out := slices.Clone(code)
	out[len(out)/2] ^= 1
	return out
}
