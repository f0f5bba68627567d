package papers

// This file has the tables that the tests print, and what runs programs of the folders.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/lang"
)

var update = flag.Bool("update", false, "write the tables into README.md")

// A table compares numbers of a paper, or exact ones, with ours.
type table struct {
	t    *testing.T
	rows [][]string
}

var head = []string{"item", "quantity", "paper or exact", "ours", "error of ours", "allowed"}

// newTable begins a table, which the end of the test prints, and compares with README.md.
func newTable(t *testing.T) *table {
	tb := &table{t: t}
	t.Cleanup(tb.end)
	return tb
}

func (tb *table) row(item, quantity string, want, got, fault, allowed float64) {
	tb.t.Helper()
	if !(math.Abs(got-want) <= allowed) {
		tb.t.Errorf("%s, %s: %.6g, should be %.6g within %.2g", item, quantity, got, want, allowed)
	}
	tb.rows = append(tb.rows, []string{item, quantity, fmt.Sprintf("%.6g", want), fmt.Sprintf("%.6g", got), known(fault), fmt.Sprintf("%.2g", allowed)})
}

// known is a standard error in words.
func known(fault float64) string {
	if fault > 0 {
		return fmt.Sprintf("%.2g", fault)
	}
	return "-"
}

// end prints the table. Its first three columns must stand in README.md, where -update writes all of it.
func (tb *table) end() {
	var text, page strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for i, row := range append([][]string{head}, tb.rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
		fmt.Fprintf(&page, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			page.WriteString("| --- | --- | ---: | ---: | ---: | ---: |\n")
		}
	}
	w.Flush()
	tb.t.Log("\n" + text.String())
	readme, err := os.ReadFile("README.md")
	if err != nil {
		tb.t.Fatal(err)
	}
	begin, end := "<!-- "+tb.t.Name()+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(readme), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		tb.t.Fatalf("README.md has no place for the table: %s%s", begin, end)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(before+begin+page.String()+end+after), 0o644); err != nil {
			tb.t.Fatal(err)
		}
		return
	}
	for _, row := range tb.rows {
		if line := "| " + strings.Join(row[:3], " | ") + " |"; !strings.Contains(old, line) {
			tb.t.Errorf("README.md has no row %s; go test ./examples/papers -run Paper -update writes it", line)
		}
	}
}

// exact compares what has no Monte Carlo error, within an absolute tolerance.
func (tb *table) exact(item, quantity string, want, got, tolerance float64) {
	tb.t.Helper()
	tb.row(item, quantity, want, got, 0, tolerance)
}

// sampled compares an estimate with a known number at 4 standard errors, which an estimate without
// bias exceeds once in 16,000 times; seeds are fixed. The number's own last printed decimal counts, too.
func (tb *table) sampled(item, quantity string, want float64, e estimate, decimals int) {
	tb.t.Helper()
	tb.row(item, quantity, want, e.value, e.fault, 4*e.fault+0.5*math.Pow(10, -float64(decimals)))
}

// note adds a number that there is nothing to hold against.
func (tb *table) note(item, quantity, paper string, ours, fault float64) {
	tb.rows = append(tb.rows, []string{item, quantity, paper, fmt.Sprintf("%.6g", ours), known(fault), "-"})
}

// An estimate has a Monte Carlo error.
type estimate struct{ value, fault float64 }

// meanOf is the mean of draws, a chain a row, with its standard error.
func meanOf(x [][]float64) estimate { return estimate{draws.Mean(x), draws.MCSEMean(x)} }

// mapped applies f to pairs of draws.
func mapped(f func(a, b float64) float64, x, y [][]float64) [][]float64 {
	z := make([][]float64, len(x))
	for c := range x {
		for i := range x[c] {
			z[c] = append(z[c], f(x[c][i], y[c][i]))
		}
	}
	return z
}

// without leaves out the first draws of each chain.
func without(first int, x [][]float64) [][]float64 {
	z := make([][]float64, len(x))
	for c := range x {
		z[c] = x[c][first:]
	}
	return z
}

// load binds a program of a paper's folder to a file there, or without data to nothing.
func load(t *testing.T, program, file string) *lang.Model {
	t.Helper()
	p, err := lang.CompileFile(filepath.FromSlash(program), lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	if file == "" {
		return bind(t, p, nil)
	}
	in, err := p.ReadDataFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return m
}

// loadWith binds a program to values.
func loadWith(t *testing.T, program string, vars map[string]any) *lang.Model {
	t.Helper()
	p, err := lang.CompileFile(filepath.FromSlash(program), lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return bind(t, p, vars)
}

func bind(t *testing.T, p *lang.Program, vars map[string]any) *lang.Model {
	t.Helper()
	in, err := lang.Data(vars)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return m
}

// run runs a method, which is an expression over the program's inference block.
func run(t *testing.T, m *lang.Model, method string, seed uint64) *lang.Fit {
	t.Helper()
	f, err := m.Program.Method(method)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	fit, err := m.Run(context.Background(), f, lang.RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return fit
}

// normalOf is the fit's density, which must be normal.
func normalOf(t *testing.T, fit *lang.Fit) *normal.Normal {
	t.Helper()
	n, ok := fit.Posterior.Density.(*normal.Normal)
	if !ok {
		t.Fatalf("the density of %s is a %T", fit.Method, fit.Posterior.Density)
	}
	return n
}

// TestFolders: all files of the folders are read by some test: each program and each data file stands
// in a test's text.
func TestFolders(t *testing.T) {
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	files, err := filepath.Glob("*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		if filepath.Dir(f) == "figures" { // TestFigures
			continue
		}
		if !strings.Contains(all.String(), strings.TrimSuffix(filepath.ToSlash(f), filepath.Ext(f))) {
			t.Errorf("no test reads %s", f)
		}
	}
	programs, err := filepath.Glob("*/*.ppl")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range programs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		laid, err := lang.Format(path, string(text), lang.Options{})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		if laid != string(text) {
			t.Errorf("ppl fmt -w %s would change it", path)
		}
	}
}

// readJSON reads a data file of a paper's folder.
func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
