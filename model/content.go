package model

// Content holds the value of an object. It is safe for concurrent use.
type Content[T any] interface {
	Value() T
}

// Whole holds a value as it is.
func Whole[T any](value T) Content[T] { return whole[T]{value} }

type whole[T any] struct{ value T }

func (w whole[T]) Value() T { return w.value }
