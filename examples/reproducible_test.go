package examples

// This file checks that a seed determines a fit's files, whatever runs at the same time.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// TestReproducible runs one seed with several numbers of processors and compares the
// CSV files byte by byte, but for the comment lines that hold a date or times.
func TestReproducible(t *testing.T) {
	path := filepath.Join("eight_schools", "eight_schools")
	model := load(t, path+".ppl", path+".json")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want [][]byte
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		got := csvFiles(t, model, procs)
		if want == nil {
			want = got
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("GOMAXPROCS %d: chain %d differs from that with 1: %s", procs, i+1, firstDifference(got[i], want[i]))
			}
		}
	}
	if bytes.Equal(want[0], want[1]) {
		t.Error("two chains have the same draws")
	}
}

// csvFiles runs four chains and gives their files without dates and times.
func csvFiles(t *testing.T, model *lang.Model, jobs int) [][]byte {
	t.Helper()
	dir := t.TempDir()
	method, err := model.Program.Method("nuts(chains = 4, warmup = 200, draws = 200)")
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	w := draws.NewCSVWriter(draws.CSVOptions{Dir: dir, Model: "eight_schools"})
	_, err = model.Run(t.Context(), method, lang.RunOptions{Seed: 7, Jobs: jobs, SaveWarmup: true, Observer: w})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	var files [][]byte
	for chain := 1; chain <= 4; chain++ {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("chain-%d.csv", chain)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, withoutTimes(text))
	}
	return files
}

// withoutTimes leaves out the comment lines that hold a date or times.
func withoutTimes(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		s := string(line)
		if strings.HasPrefix(s, "#") && (strings.Contains(s, "start_datetime") || strings.Contains(s, " seconds (")) {
			continue
		}
		out = append(out, line...)
	}
	return out
}

// firstDifference shows the first lines that differ.
func firstDifference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf("line %d is %.80q, not %.80q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}
