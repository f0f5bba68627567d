package parser

// This file finds the word that was meant.

// nearest returns the candidate with the fewest edits from name, where they are few for
// a word of its length; ties go to the first, and "" means none.
func nearest(name string, candidates []string) string {
	best, found := 1+min(len(name)/3, 3), ""
	for _, c := range candidates {
		if d := edits(name, c, best); d < best {
			best, found = d, c
		}
	}
	return found
}

// edits counts insertions, deletions, replacements and swaps of neighbours that turn a
// into b (optimal string alignment), or gives a number of at least limit.
func edits(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
