package model

import "strings"

// marks are in lower case what a text that Mask changes has at least one of. Nearly every record has none: looking for
// them costs a fraction of what the hash of the record does.
var marks = []string{
	"authorization", "api_key", "apikey", "api-key", "access", "account", "annotations", "akia", "asia", "aiza",
	"bearer", "basic", "binarydata", "client", "credential", "data\"", "data\\", "data:", "eyj", "env", "encryption",
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "ls0tls1c", "last-applied", "negotiate", "passw", "passphrase", "pwd", "private key",
	"secret", "sig", "stringdata", "token", "x-amz-", "x-goog-", "xox", "://",
}

// begins tells for two bytes, in whatever case, which marks begin with them: an index into groups, 0 for none.
var begins, groups = beginnings()

func beginnings() (*[1 << 16]uint8, [][]string) {
	var of [1 << 16]uint8
	groups := [][]string{nil}
	for _, mark := range marks {
		at := int(mark[0])<<8 | int(mark[1])
		if of[at] == 0 {
			groups = append(groups, nil)
			of[at] = uint8(len(groups) - 1)
		}
		groups[of[at]] = append(groups[of[at]], mark)
		for _, a := range []string{mark[:1], strings.ToUpper(mark[:1])} {
			for _, b := range []string{mark[1:2], strings.ToUpper(mark[1:2])} {
				of[int(a[0])<<8|int(b[0])] = of[at]
			}
		}
	}
	return &of, groups
}

// suspicious reports whether a text has one of the marks, in whatever case.
func suspicious(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		group := begins[int(text[i])<<8|int(text[i+1])]
		if group == 0 {
			continue
		}
		for _, mark := range groups[group] {
			if len(text)-i >= len(mark) && strings.EqualFold(text[i:i+len(mark)], mark) {
				return true
			}
		}
	}
	return false
}
