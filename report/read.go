package report

import (
	"io"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/readback"
)

// MaxBytes is the largest JSON report that Read takes. Two thousand incidents take 400 MB.
const MaxBytes = readback.MaxBytes

// Beginning is how much of a file IsReport wants to see, unless the file is shorter.
const Beginning = readback.Beginning

// ReadError says why something is no report, and where.
type ReadError = readback.Error

// Read reads a report that Write has written as json: it keeps the schema, or a *ReadError says where not, and no string in it is trusted.
func Read(r io.Reader) (*model.Report, error) { return readback.Read(r) }

// ReadFleet reads of a JSON report what a fleet needs.
func ReadFleet(data []byte) (*model.FleetReport, error) { return readback.Fleet(data) }

// IsReport distinguishes a JSON report by its beginning from a bundle, which can be JSON, too.
func IsReport(beginning []byte) bool { return readback.IsReport(beginning) }
