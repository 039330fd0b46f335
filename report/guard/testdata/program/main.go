// Program links all of report and writes one line, as a command that draws nothing.
package main

import (
	"fmt"
	"os"

	"github.com/volpost/volpost/report"
)

func main() {
	fmt.Println(len(report.Formats()), "formats, TMPDIR="+os.Getenv("TMPDIR"))
}
