package mask

import (
	"regexp"
	"strings"
)

// userinfo is what stands between a scheme and the last @ of the word: user and password, or a token that stands for the user.
var userinfo = regexp.MustCompile(`^(?:[^/\s:"]*:|[A-Za-z0-9_.~-]{20,}$)`)

// portAndPath is no password but the rest of an address.
var portAndPath = regexp.MustCompile(`^[0-9]{1,5}(?:[/?#,'\])]|$)`)

// webhook is an address that whoever knows it can write to, up to what nobody must know.
var webhook = regexp.MustCompile(`^(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/|` +
	`outlook\.office\.com/webhook/|[a-z0-9.-]+\.webhook\.office\.com/webhookb2/|api\.telegram\.org/bot|events\.pagerduty\.com/integration/|` +
	`hooks\.zapier\.com/hooks/catch/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/)`)

// webhookPlace is the place of what makes a webhook of the address that begins at i; both are 0 when it is none.
func webhookPlace(line string, i, end int) (from, to int) {
	if from = i + len(webhook.FindString(line[i:end])); from == i {
		return 0, 0
	}
	if to = from + len(strings.TrimRight(line[from:end], `.,;:)]}>'\`)); to < from+10 || line[from:to] == Masked {
		return 0, 0
	}
	return from, to
}

// maskURLs masks passwords in URLs, and webhooks. A password goes to the last @ of the word, as it may have one.
func maskURLs(line string, next nextFunc) string {
	const begin = "://"
	word, at := 0, -1 // the word ends there, and has its last @ there
	return maskPlaces(line, next, markPassword, func(line string, i int) (from, to int) {
		if !strings.HasPrefix(line[i:], begin) {
			return 0, 0
		}
		scheme := line[max(0, i-8):i]
		if i += len(begin); i > word {
			word, at = lastAt(line, i)
		}
		if from, to = password(line, i, at, scheme); to <= from {
			return webhookPlace(line, i, word)
		}
		return from, to
	})
}

// lastAt is where the word ends in which i is, and where it has its last @.
func lastAt(line string, i int) (end, at int) {
	end = len(line)
	if n := strings.IndexAny(line[i:], " \t\r\""); n >= 0 {
		end = i + n
	}
	return end, i + strings.LastIndexByte(line[i:end], '@')
}

// password is the place of the password of a URL whose userinfo begins at i and ends at an @; both are 0 when it has none.
func password(line string, i, at int, scheme string) (from, to int) {
	if at <= i {
		return 0, 0
	}
	n := len(userinfo.FindString(line[i:at]))
	if n == 0 {
		return 0, 0
	}
	from = i + n
	if line[from-1] != ':' || from == at {
		from = i // a token alone, or a user without a password
		if line[at-1] == ':' {
			return 0, 0
		}
	}
	web := strings.HasSuffix(strings.TrimSuffix(strings.ToLower(scheme), "s"), "http")
	if line[from:at] == Masked || web && portAndPath.MatchString(line[from:at]) {
		return 0, 0
	}
	return from, at
}
