package analyze

import (
	"github.com/volpost/volpost/model/fields"
	secret "github.com/volpost/volpost/model/mask"
)

// masked is a value without secrets, as package model/mask does for quotes: a driver's error in a summary can hold a password.
func masked[T any](v *T) *T { return fields.Texts(v, secret.Text) }
