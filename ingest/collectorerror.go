package ingest

import (
	"bytes"
	"slices"

	"github.com/volpost/volpost/model"
)

// clientErrors begin what kubectl, oc and the API server say instead of an answer. Collectors write it to the answer's file.
var clientErrors = []string{
	"Error from server (", "Error from server: ", "Unable to connect to the server: ", "The connection to the server ",
	"error: journal output not available", "error: the server doesn't have a resource type ", "error: You must be logged in to the server",
	"error: unable to read server version", "error: timed out waiting for ", "error: a container name must be specified ",
	"error: previous terminated container ", "error: unable to upgrade connection", "Unable to retrieve container logs for ",
	"failed to get logs", "error: couldn't get ", "error: no configuration has been provided",
}

// clientError reports a file that holds an error of its collector, and nothing else.
func (p *part) clientError(head []byte) {
	if len(head) > maxClientError || p.place.Pod != "" {
		return // a container may write whatever it likes
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	if slices.ContainsFunc(clientErrors, func(e string) bool { return bytes.HasPrefix(line, []byte(e)) }) {
		p.problem(model.Warning, 1, "holds an error of whoever collected it instead of what its name "+
			"promises: "+string(bytes.ToValidUTF8(bytes.TrimSpace(line[:min(len(line), 300)]), nil)))
	}
}
