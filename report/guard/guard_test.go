//go:build unix

package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// binary is a command that links go-graphviz through report and does nothing else, as volpost version does. It lies where
// every user can run it.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	Restore() // nothing here imports go-graphviz, so nothing gave TMPDIR back
	dir, err := os.MkdirTemp("", "volpost-guard")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", binary, "./testdata/program")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// run starts the program as a user with an environment of its own.
func run(t *testing.T, uid uint32, env ...string) string {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Env = "/", env
	if int(uid) != os.Geteuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	out, err := cmd.CombinedOutput()
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

func TestTwoUsersOfOneHost(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot run the program as a second user")
	}
	temp := shared(t)
	run(t, 0, "TMPDIR="+temp)
	run(t, nobody, "TMPDIR="+temp)
	run(t, nobody, "TMPDIR="+temp) // from the second user's cache
	for _, name := range []string{"volpost-wasm-0", "volpost-wasm-65534"} {
		if files, _ := filepath.Glob(filepath.Join(temp, name, "go-graphviz", "*", "*")); len(files) != 1 {
			t.Errorf("%s holds %d compiled modules, want 1", name, len(files))
		}
	}
	if _, err := os.Stat(filepath.Join(temp, "go-graphviz")); err == nil {
		t.Error("go-graphviz made its own directory before the guard")
	}
}

// Another user's directories under the names that this user would take are not used.
func TestForeignCache(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot make directories of another user")
	}
	temp := shared(t)
	if err := os.Mkdir(filepath.Join(temp, "volpost-wasm-65534"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(temp, "go-graphviz"), 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, nobody, "TMPDIR="+temp)
	if files, _ := filepath.Glob(filepath.Join(temp, "volpost-wasm-65534", "*")); len(files) != 0 {
		t.Errorf("a directory of another user was used: %v", files)
	}
}

// Without any usable directory the program works, without cache.
func TestNoUsableDirectory(t *testing.T) {
	for _, env := range [][]string{
		{"TMPDIR=/proc", "HOME=/proc"},
		{"TMPDIR=/dev/null"},
		{"TMPDIR=relative", "HOME=relative", "XDG_CACHE_HOME=relative"},
		{"TMPDIR=/does/not/exist", "HOME=/proc/does/not/exist"},
	} {
		uid := uint32(os.Geteuid())
		if uid == 0 {
			uid = nobody // root can make /does/not/exist
		}
		if out := run(t, uid, env...); !strings.Contains(out, env[0]) {
			t.Errorf("TMPDIR was not given back: %v became %s", env, out)
		}
	}
}

func TestCacheInHome(t *testing.T) {
	home := t.TempDir()
	run(t, uint32(os.Geteuid()), "HOME="+home, "TMPDIR=/dev/null")
	cache := filepath.Join(home, ".cache")
	if runtime.GOOS == "darwin" {
		cache = filepath.Join(home, "Library", "Caches")
	}
	if files, _ := filepath.Glob(filepath.Join(cache, "volpost-wasm-*", "go-graphviz", "*", "*")); len(files) != 1 {
		t.Errorf("the cache directory of the user holds %d compiled modules, want 1", len(files))
	}
}

// The guard has to be initialised before go-graphviz compiles its module; see the package comment.
func TestInitOrder(t *testing.T) {
	trace := run(t, uint32(os.Geteuid()), "GODEBUG=inittrace=1", "TMPDIR="+t.TempDir())
	guard := strings.Index(trace, "init github.com/volpost/volpost/report/guard ")
	graphviz := strings.Index(trace, "init github.com/goccy/go-graphviz/internal/wasm ")
	if guard < 0 || graphviz < 0 || guard > graphviz {
		t.Errorf("the guard is not initialised first:\n%s", trace)
	}
}

func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	open, link, file := filepath.Join(dir, "open"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if !private(open) || !writable(open, moduleSize) {
		t.Error("a directory of this user is refused")
	}
	if entries, _ := os.ReadDir(open); len(entries) != 0 {
		t.Errorf("the probe stayed: %v", entries)
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
	if decimal(0) != "0" || decimal(65534) != "65534" {
		t.Error("decimal writes numbers wrong")
	}
}
