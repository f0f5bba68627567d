package data

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
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

// alone is set in a process that does nothing but TestShortArrayBeforeLong.
const alone = "PPL_TEST_ALONE"

// Where much text follows that is not of an array, so that its length is estimated far too
// large, memory beyond its numbers stays untouched. That is so where the system hands out the
// memory, which knows it to be zero: in a process that has not used and freed as much before.
func TestShortArrayBeforeLong(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory in use is read from /proc")
	}
	if os.Getenv(alone) == "" {
		again := exec.Command(os.Args[0], "-test.run=^TestShortArrayBeforeLong$")
		again.Env = append(os.Environ(), alone+"=1")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	const n = 1 << 20
	text := &padded{text: strings.NewReader(fmt.Sprintf(`{"y": [%s]`, strings.TrimSuffix(strings.Repeat("1,", n), ","))), spaces: 100 << 20, end: "}"}
	before := resident(t)
	if _, err := Read(text, "x.json", nil); err != nil {
		t.Fatal(err)
	}
	if grown := resident(t) - before; grown > 150<<20 {
		t.Errorf("reading 8 MB of numbers took %d MB", grown>>20)
	}
}

// padded is a text with many spaces before its end, which take no memory.
type padded struct {
	text   *strings.Reader
	spaces int
	end    string
}

// Len is what is left to be read.
func (p *padded) Len() int { return p.text.Len() + p.spaces + len(p.end) }

func (p *padded) Read(b []byte) (int, error) {
	switch {
	case p.text.Len() > 0:
		return p.text.Read(b)
	case p.spaces > 0:
		n := min(len(b), p.spaces)
		for i := range b[:n] {
			b[i] = ' '
		}
		p.spaces -= n
		return n, nil
	case p.end == "":
		return 0, io.EOF
	}
	n := copy(b, p.end)
	p.end = p.end[n:]
	return n, nil
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
