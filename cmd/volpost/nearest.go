package main

// nearest answers the candidate that a mistyped word most probably meant: the one at the smallest edit distance, if that
// is at most a third of the word's length, or one that the word begins. It answers "" when none is near.
func nearest(word string, candidates []string) string {
	best, distance := "", len(word)/3+1
	for _, c := range candidates {
		if len(word) >= 3 && len(c) > len(word) && c[:len(word)] == word {
			return c
		}
		if d := editDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
