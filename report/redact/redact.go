// Package redact takes the names out of a report and gives them back. Its doors are Of and Key.
//
// It does not look for names, which nobody can list. It keeps what it knows to be no name, words of volpost's own texts,
// of Kubernetes and of its logs, numbers, times and versions, and replaces every other run of letters and digits, piece
// by piece and always alike: orders-db-56659c7b56-whct6 becomes appaa-bb-…, and the claim orders-db-data begins with
// appaa-bb-, too. A piece that is a word is replaced as well where it is a name: in the fields that hold names, beside
// the keys that announce one, and as part of a compound that is none of Kubernetes' own.
//
// Pseudonyms are numbered in the order of the report, and never made out of the name: who guesses a name cannot test the
// guess. They are as long as the name and have its punctuation, so that a text wraps alike and can be reversed byte for
// byte. What stays visible: how long names are, which have pieces in common, ordinals, all times, and names that everybody
// has, such as kube-system and the public CSI drivers.
package redact

import "reflect"

// Of is a report, or what another command answers, without names, and the key that gives them back. The conclusions are the
// same; names of VolumeAttachments are derived anew, so that the hash still fits. The original stays as it is.
func Of[T any](of *T) (*T, *Key) {
	x, v := newRedactor(), reflect.ValueOf(of)
	x.learn(v, "", false)
	x.attachments()
	x.copy(v, keepText) // Quotes come first: what is a name there is one in the sentences about them.
	x.quotesRead = true
	out := x.copy(v, keepText)
	x.key.seal(out)
	return out.Interface().(*T), x.key
}
