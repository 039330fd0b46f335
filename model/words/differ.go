package words

// Differ reports that two texts, where both are known, are not the same; "" is not known.
func Differ(a, b string) bool { return a != "" && b != "" && a != b }
