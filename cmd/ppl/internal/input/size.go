package input

// This file reads sizes of memory and files that flags give.

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// MemorySize is a number with its unit.
var MemorySize = regexp.MustCompile(`^[1-9][0-9]*[KMGT]$`)

// Size reads 512M; 0 for the empty text.
func Size(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if !MemorySize.MatchString(text) {
		return 0, frame.Wrongf("--%s: expected a number with K, M, G or T, such as 2G, found %q", flag, text)
	}
	n, err := strconv.ParseInt(text[:len(text)-1], 10, 32)
	if err != nil {
		return 0, frame.Wrongf("--%s: %q is too large", flag, text)
	}
	return n << (10 * (1 + strings.IndexByte("KMGT", text[len(text)-1]))), nil
}
