package report

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
)

// pageParts are the style and the script that stand in the page itself. The page is complete without the script.
func pageParts() (css, script string, err error) {
	style, err := htmlFiles.ReadFile("html/style.css")
	if err != nil {
		return "", "", err
	}
	code, err := htmlFiles.ReadFile("html/page.js")
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(style), string(code), err
}

// policy is the Content-Security-Policy that the page sets itself: nothing is fetched, nothing is sent, and only this very
// style and this very script are applied. So a name that got through as markup would still do nothing.
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
