// Package words has what sentences are made of: durations, numbers with their nouns, lists, and text that is visible and fits a width.
// A time of day depends on what is known of a date: see model.TimeOfDay.
package words
