package check

// This file finds the name that was probably meant.

import (
	"strings"
	"unicode/utf8"
)

// Nearest is the candidate that was probably meant by name; empty where none is close.
func Nearest(name string, candidates []string) string { return nearest(name, candidates) }

// nearest returns the candidate closest to name by edit distance, letter case aside;
// empty where none is close enough to be a slip (one edit in short names, up to
// a third of the letters in longer ones). Of equally close ones the first wins.
func nearest(name string, candidates []string) string {
	limit := max(1, utf8.RuneCountInString(name)/3)
	best, found := limit+1, ""
	low := strings.ToLower(name)
	for _, cand := range candidates {
		if cand == name {
			continue
		}
		if d := editDistance(low, strings.ToLower(cand), best); d < best {
			best, found = d, cand
		}
	}
	return found
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours
// that turn a into b (optimal string alignment); it gives up at limit.
func editDistance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	before := make([]int, len(y)+1)
	last := make([]int, len(y)+1)
	row := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// didYouMean words a suggestion; empty for none.
func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean \"" + name + "\"?"
}
