//go:build unix

package graphviz

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// shared makes a directory that every user can write to, as /tmp is.
func shared(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for d := dir; d != filepath.Dir(filepath.Dir(dir)); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
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
	temp := shared(t)
	for range 2 {
		var started []*exec.Cmd
		for _, uid := range []int{0, nobody, 0, nobody} {
			cmd := command(t, uid, "TMPDIR="+temp)
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
	for _, name := range []string{"volpost-wasm-0", "volpost-wasm-65534"} {
		if files := kept(filepath.Join(temp, name)); len(files) != 1 {
			t.Errorf("%s holds %v, want one file", name, files)
		}
	}
}

// Another user's directory under the name that this user would take is not used.
func TestForeignDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot make directories of another user")
	}
	temp := shared(t)
	foreign := filepath.Join(temp, "volpost-wasm-65534")
	if err := os.Mkdir(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	run(t, nobody, "TMPDIR="+temp)
	if files := kept(foreign); len(files) != 0 {
		t.Errorf("a directory of another user was used: %v", files)
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
	home := t.TempDir()
	run(t, os.Geteuid(), "HOME="+home, "TMPDIR=/dev/null")
	cache := filepath.Join(home, ".cache")
	if runtime.GOOS == "darwin" {
		cache = filepath.Join(home, "Library", "Caches")
	}
	if files, _ := filepath.Glob(filepath.Join(cache, "volpost-wasm-*", "wazero-*", "*")); len(files) != 1 {
		t.Errorf("the cache directory of the user holds %v, want one file", files)
	}
}

// What was kept and is no longer whole is not run.
func TestBrokenCode(t *testing.T) {
	home := t.TempDir()
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
		"foreign":   []byte(strings.Repeat("no machine code\n", 1000)),
	} {
		if err := os.WriteFile(code, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, os.Geteuid(), "XDG_CACHE_HOME="+home, "HOME="+home); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	open, link, file := filepath.Join(dir, "open"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if !private(open) {
		t.Error("a directory of this user is refused")
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{open, link, file, filepath.Join(dir, "absent")} {
		if private(bad) {
			t.Errorf("%s is taken for a private directory", bad)
		}
	}
}
