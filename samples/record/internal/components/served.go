package components

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Served says in some seconds why a version of Kubernetes cannot be built: it does not exist, or the module proxy or the checksum database
// does not serve one of the libraries that it is published with. Without that a build fails after minutes, and names a package.
func Served(version string) error {
	if err := module.Check("k8s.io/kubernetes", version); err != nil {
		return err
	}
	main, err := modules("list", "-m", "-json", "k8s.io/kubernetes@"+version)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(main[0].GoMod)
	if err != nil {
		return err
	}
	up, err := modfile.Parse("go.mod", b, nil)
	if err != nil {
		return err
	}
	args := []string{"mod", "download", "-json"}
	for _, r := range up.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			args = append(args, r.Old.Path+"@"+staging(version))
		}
	}
	_, err = modules(args...)
	return err
}

type goModule struct{ Path, GoMod, Error string }

// modules runs a go command that describes modules, and returns an error that has the reason for each that cannot be had.
func modules(args ...string) ([]goModule, error) {
	cmd := goCommand("", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, failed := cmd.Output()
	var all []goModule
	var missing []string
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m goModule
		if err := d.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if m.Error != "" {
			missing = append(missing, m.Error)
		}
		all = append(all, m)
	}
	if missing != nil {
		return nil, errors.New("not served:\n" + strings.Join(missing, "\n"))
	}
	if failed != nil {
		return nil, fmt.Errorf("%w: %s", failed, strings.TrimSpace(stderr.String()))
	}
	return all, nil
}
