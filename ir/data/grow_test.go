package data

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestLongArrayMemory: an array takes about the memory of its numbers while it is read,
// wherever it stands in the text, and no more once it is read.
func TestLongArrayMemory(t *testing.T) {
	const n = 1 << 20
	numbers := strings.TrimSuffix(strings.Repeat("0.125,-3.5,", n/2), ",")
	for _, c := range []struct {
		name, text string
		most       float64 // allocated, over the memory of the numbers
	}{
		{"alone", fmt.Sprintf(`{"x": [%s]}`, numbers), 1.2},
		{"two of one length", fmt.Sprintf(`{"x": [%s], "y": [%s]}`, numbers, numbers), 2.2},
		{"numbers become shorter", fmt.Sprintf(`{"x": [%s, %s]}`, numbers, strings.TrimSuffix(strings.Repeat("1,", 3*n), ",")), 3}, // two wrong estimates
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := Read(bytes.NewReader([]byte(c.text)), "x.json", nil)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			var have int
			for name, v := range s.Vars {
				have += len(v.X)
				if v.X[0] != 0.125 || v.X[n-1] != -3.5 {
					t.Errorf("%s starts with %v and has %v at the end of its pairs", name, v.X[0], v.X[n-1])
				}
				if float64(cap(v.X)) > 1.3*float64(len(v.X)) {
					t.Errorf("%s has room for %d numbers and holds %d", name, cap(v.X), len(v.X))
				}
			}
			// Less the text's own copy, which the reader is handed here.
			if got := float64(after.TotalAlloc-before.TotalAlloc-uint64(len(c.text))) / float64(8*have); got > c.most {
				t.Errorf("allocated %.2f times the memory of the numbers", got)
			}
		})
	}
}

// Where much text follows that is not of an array, so that its length is estimated far too
// large, memory beyond its numbers stays untouched.
func TestShortArrayBeforeLong(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory in use is read from /proc")
	}
	const n = 1 << 20
	text := []byte(fmt.Sprintf(`{"y": [%s]%s}`, strings.TrimSuffix(strings.Repeat("1,", n), ","), strings.Repeat(" ", 100<<20)))
	before := resident(t)
	if _, err := Read(bytes.NewReader(text), "x.json", nil); err != nil {
		t.Fatal(err)
	}
	if grown := resident(t) - before; grown > 150<<20 {
		t.Errorf("reading 8 MB of numbers took %d MB", grown>>20)
	}
}

// resident is how many bytes of the process are in memory.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
