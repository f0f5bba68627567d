// This file divides the independent units of a run among processes.

package infer

import (
	"fmt"
	"strconv"
	"strings"
)

// A Share is the part of a run's units that one process of several does: chains of a Markov
// method, replications, data sets. Units depend on seed and number alone, so that those
// of all shares together are those of one process. The zero value has all units.
type Share struct {
	Index int // from 1
	Of    int // shares
}

// Divided reports whether the units are divided, be it into one share.
func (s Share) Divided() bool { return s.Of > 0 }

// Has reports whether unit i, counted from 0, belongs to the share.
func (s Share) Has(i int) bool { return s.Of == 0 || i%s.Of == s.Index-1 }

// Count is the number of units among the first n that belong to the share.
func (s Share) Count(n int) int {
	if s.Of == 0 {
		return n
	}
	return (n + s.Of - s.Index) / s.Of
}

// String is the share as ParseShare reads it.
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// ParseShare reads "3/8": the third of eight shares.
func ParseShare(text string) (Share, error) {
	first, second, _ := strings.Cut(text, "/")
	index, err := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if err != nil || err2 != nil || index < 1 || of < index {
		return Share{}, fmt.Errorf("expected I/N with I from 1 to N, such as 3/8, found %q", text)
	}
	return Share{index, of}, nil
}
