package components

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goCommand runs as quietly as the machine allows: a build is never in a hurry, a cluster that runs beside it is.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("nice", append([]string{"-n", "10", "go"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	cmd.Stderr = os.Stderr
	return cmd
}

func goRun(dir string, args ...string) error {
	if err := goCommand(dir, args...).Run(); err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

func goOutput(dir string, args ...string) (string, error) {
	out, err := goCommand(dir, args...).Output()
	return strings.TrimSpace(string(out)), err
}

// binary is one program: a package, built inside a module, with the values that set its version.
type binary struct {
	dir, pkg, out string
	values        map[string]string
}

// build compiles the program, unless it is there already.
func (b binary) build() error {
	if _, err := os.Stat(b.out); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(b.out), 0o755); err != nil {
		return err
	}
	flags := "-s -w"
	for k, v := range b.values {
		flags += " -X " + k + "=" + v
	}
	fmt.Println("building", b.out)
	return goRun(b.dir, "build", "-mod=mod", "-trimpath", "-ldflags", flags, "-o", b.out, b.pkg)
}

// scratch makes a throw-away module in dir that requires one module.
func scratch(dir, name, path, version string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module lab.example.com/"+name+"\n"), 0o644); err != nil {
		return err
	}
	return goRun(dir, "get", path+"@"+version)
}
