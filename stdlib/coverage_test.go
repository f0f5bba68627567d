// This file writes and checks the table of examples/docs/functions.md: every name of the
// manual's index and of the catalogue, and which test shows that it works.

package stdlib_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/stdlib"
)

var update = flag.Bool("update", false, "rewrite the table of functions")

const functionsTable = "../examples/docs/functions.md"

// An evidence finds the tests of a function.
type evidence struct {
	vectors map[string][]string        // files of conformance vectors that call a name
	words   map[string]map[string]bool // names that a test file uses
}

// testFiles are the tests of functions without vectors, by the beginning of a name. A
// file counts for a name only if the name stands in it.
var testFiles = []struct{ prefix, file string }{
	{"ode_", "../ir/bind/ode_test.go"},
	{"integrate_ode", "../ir/bind/higher_sum_test.go"},
	{"dae", "../ir/bind/dae_test.go"},
	{"solve_", "../ir/bind/solve_algebra_test.go"},
	{"algebra_solver", "../ir/bind/solve_algebra_test.go"},
	{"integrate_1d", "../ir/bind/quadrature_test.go"},
	{"reduce_sum", "../ir/bind/higher_sum_test.go"},
	{"map_rect", "../ir/bind/higher_sum_test.go"},
	{"laplace_marginal", "../ir/bind/laplace_marginal_test.go"},
	{"laplace_latent_rng", "../ir/bind/laplace_marginal_test.go"},
	{"laplace_latent_tol_rng", "../ir/bind/laplace_marginal_test.go"},
	{"laplace_latent_solve", "../ir/bind/laplace_solve_test.go"},
	{"poisson_binomial_rng", "multi_poisson_binomial_test.go"},
	{"laplace_latent", "../ir/bind/laplace_latent_test.go"},
	{"", "multi_draw_test.go"},
}

// word finds names in test files and programs.
var word = regexp.MustCompile(`[A-Za-z_]\w*`)

func newEvidence(t *testing.T) *evidence {
	e := &evidence{vectors: map[string][]string{}}
	for _, c := range readCases(t) {
		if !slices.Contains(e.vectors[c.Fn], c.File) {
			e.vectors[c.Fn] = append(e.vectors[c.Fn], c.File)
		}
	}
	e.words = map[string]map[string]bool{}
	for _, f := range testFiles {
		text, err := os.ReadFile(f.file)
		if err != nil {
			t.Fatal(err)
		}
		e.words[f.file] = map[string]bool{}
		for _, w := range word.FindAllString(string(text), -1) {
			e.words[f.file][w] = true
		}
	}
	return e
}

// of reports what tests a row, in words that change as little as the tests do; empty
// where nothing does.
func (e *evidence) of(f *stdlib.Function) string {
	var out []string
	files := slices.Clone(e.vectors[f.Name])
	sort.Strings(files)
	for _, file := range files {
		out = append(out, "conformance/"+file)
	}
	switch {
	case f.Draw != nil && f.Density != nil && f.Density.Rows == nil:
		out = append(out, "TestDrawsFitDistribution")
	case vectorDraws[f.Name]:
		out = append(out, "TestVectorParameterDrawsFit")
	case strings.HasSuffix(f.Name, "_constrain") && f.Higher == "":
		out = append(out, "TestTransformFunctions")
	case len(f.Parts) > 0:
		out = append(out, "its parts "+strings.Join(f.Parts, ", "))
	}
	if test := testedElsewhere[f.Name]; test != "" {
		out = append(out, test)
	}
	for _, file := range testFiles {
		if len(out) == 0 && strings.HasPrefix(f.Name, file.prefix) && e.mentions(file.file, f.Name) {
			out = append(out, strings.TrimPrefix(file.file, "../"))
		}
	}
	return strings.Join(out, "; ")
}

// vectorDraws are the generators whose names TestVectorParameterDrawsFit puts together.
var vectorDraws = map[string]bool{
	"categorical_rng": true, "categorical_logit_rng": true, "ordered_logistic_rng": true, "ordered_probit_rng": true,
}

// mentions reports whether a file uses a name, which may be put together from its
// beginning and its ending there.
func (e *evidence) mentions(file, name string) bool {
	words := e.words[file]
	if words[name] {
		return true
	}
	for i := range name {
		if name[i] == '_' && words[name[:i+1]] && (words[name[i:]] || partsIn(words, name[i+1:])) {
			return true
		}
	}
	return false
}

// partsIn reports whether a name is a word and an ending that are both used.
func partsIn(words map[string]bool, name string) bool {
	i := strings.LastIndexByte(name, '_')
	return i > 0 && words[name[:i]] && words[name[i:]]
}

// manualIndex reads the names of the manual's index: functions, the names of
// distributions, and for each operator the row that it calls.
func manualIndex(t *testing.T) (functions, distributions []string, operators map[string]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/manual_index.txt")
	if err != nil {
		t.Fatal(err)
	}
	operators = map[string]string{}
	section := ""
	for _, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = line
		case section == "[distributions]":
			name := strings.TrimSuffix(fields[0], ":")
			distributions = append(distributions, name)
			for _, ending := range fields[1:] {
				functions = append(functions, name+"_"+ending)
			}
		case section == "[operators]":
			operators[fields[1]] = fields[0]
		default:
			functions = append(functions, fields...)
		}
	}
	return functions, distributions, operators
}

// TestManualIndexIsCovered writes the table with -update and otherwise compares it. A
// name of the manual without a row, or a row without a test, fails.
func TestManualIndexIsCovered(t *testing.T) {
	e := newEvidence(t)
	lib := stdlib.New()
	functions, distributions, operators := manualIndex(t)
	listed := map[string]bool{}
	var missing []string
	for _, name := range functions {
		listed[name] = true
		if lib.Function(name) == nil {
			missing = append(missing, name)
		}
	}
	for name := range operators {
		listed[name] = true
		if lib.Function(name) == nil {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	var b strings.Builder
	fmt.Fprintf(&b, "# Functions\n\nThis table is generated: `go test ./stdlib -run TestManualIndexIsCovered -update` writes it, and the same test\n"+
		"without `-update` fails where it is out of date, where a name of the Stan Functions Reference (2.40) has no row, or\n"+
		"where nothing tests a row. Of the manual's index %d functions, %d operators and %d distributions (after `~`) are\n"+
		"looked for; %d are missing. Each `_lpdf` and `_lpmf` may be called as `_lupdf` and `_lupmf` as well.\n"+
		"`ppl functions NAME` shows signatures and meaning.\n\n", len(functions), len(operators), len(distributions), len(missing))
	for _, name := range missing {
		t.Errorf("%s is in the manual's index and not in the catalogue", name)
		fmt.Fprintf(&b, "* missing: `%s`\n", name)
	}
	b.WriteString("| name | in the manual | forms | section | tested by |\n| --- | --- | --- | --- | --- |\n")
	for _, name := range lib.Names() {
		forms := 0
		for _, f := range lib.Functions(name) {
			forms += len(f.Signatures)
		}
		f := lib.Function(name)
		tests := e.of(f)
		if tests == "" {
			t.Errorf("nothing tests %s", name)
			tests = "nothing"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s |\n", shown(name, operators), yes(listed[name]), forms, f.Section, tests)
	}
	checkTable(t, b.String())
}

// shown is a name as a program writes it.
func shown(name string, operators map[string]string) string {
	if op := operators[name]; op != "" {
		return fmt.Sprintf("`%s` (operator `%s`)", name, op)
	}
	return "`" + name + "`"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func checkTable(t *testing.T, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(functionsTable), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(functionsTable, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(functionsTable)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got (-update writes it)\n%s", diff)
	}
}
