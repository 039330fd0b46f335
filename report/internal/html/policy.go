package html

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// scripts are the parts of the page's script, in the order in which they stand in it. They share one scope.
var scripts = []string{"dom", "zone", "reveal", "tip", "rows", "filter", "chart", "copy", "keys", "start"}

// pageParts are the style and the script that stand in the page itself. The page is complete without the script.
func pageParts() (css, script string, err error) {
	var style, code strings.Builder
	for _, name := range []string{"style.css", "advice.css", "chart.css", "tools.css"} {
		text, err := htmlFiles.ReadFile("page/" + name)
		if err != nil {
			return "", "", err
		}
		style.Write(text)
	}
	code.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		text, err := htmlFiles.ReadFile("page/script/" + name + ".js")
		if err != nil {
			return "", "", err
		}
		condense(&code, string(text))
	}
	code.WriteString("})();\n")
	return style.String(), code.String(), nil
}

// condense writes a script without indentation, empty lines and the comments that have a line of their own: each page carries it.
func condense(w *strings.Builder, script string) {
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			w.WriteString(line + "\n")
		}
	}
}

// policy lets nothing be fetched or sent, and applies only this style and script: a name that got through as markup does nothing.
func policy(css, script string) string {
	text := "default-src 'none'; style-src " + hashSource(css)
	if script != "" {
		text += "; script-src " + hashSource(script)
	}
	return text + "; base-uri 'none'; form-action 'none'"
}

// hashSource is how a policy names an inline element by its content (CSP 2, section 4.2).
func hashSource(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
