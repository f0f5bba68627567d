// This file checks the catalogue against the conformance vectors, and every
// differentiable row against finite differences.

package stdlib_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Tags that may miss a few cases, each with its reason; all others must pass fully.
var hardTags = map[string]bool{"tail": true, "extreme": true, "ill-conditioned": true}

const hardShare = 0.99

// TestConformance runs all vectors and prints a table by file and tag. With
// PPL_CONFORMANCE=regexp it runs only the functions whose names match.
func TestConformance(t *testing.T) {
	lib := stdlib.New()
	only := regexp.MustCompile(os.Getenv("PPL_CONFORMANCE"))
	tab := newTable()
	absent := map[string]int{}
	differences := map[string]int{} // finite-difference checks done by function
	faults := readFaults(t)
	for _, c := range readCases(t) {
		if !only.MatchString(c.Fn) || c.tagged("stick-breaking") {
			continue
		}
		miss, known := runCase(lib, c, differences)
		if !known {
			absent[c.Fn]++
			continue
		}
		list := faults[faultKey(c.Fn, flat(c))]
		if miss != "" && list != nil {
			miss = reason(list) // TestVectorsAtFault holds it to be the only one
		}
		tab.count(c, miss, list != nil)
	}
	tab.print(t)
	names := make([]string, 0, len(absent))
	total := 0
	for fn, n := range absent {
		names = append(names, fn)
		total += n
	}
	sort.Strings(names)
	t.Logf("not in library: %d functions, %d cases: %s", len(names), total, strings.Join(names, " "))
}

// runCase returns the reason why a case fails, "" where it passes; known is false
// where the library lacks the function.
func runCase(lib *stdlib.Library, c *vectorCase, differences map[string]int) (miss string, known bool) {
	defer func() {
		if p := recover(); p != nil {
			miss, known = fmt.Sprintf("panic: %v", p), true
		}
	}()
	if name, ok := strings.CutSuffix(c.Fn, "_jacobian"); ok {
		return runTransform(lib.Transform(transformName(name, c)), c, runJacobian)
	}
	if name, ok := strings.CutSuffix(c.Fn, "_unconstrain"); ok {
		return runTransform(lib.Transform(transformName(name, c)), c, runUnconstrain)
	}
	if lib.Function(c.Fn) == nil {
		return "", false
	}
	f, match := selectRow(lib, c)
	if f == nil {
		return "no signature for (" + strings.Join(c.Types, ", ") + ")", true
	}
	if c.Ret != "" && match.Result.String() != c.Ret {
		return fmt.Sprintf("result type %s, want %s", match.Result, c.Ret), true
	}
	return runFunction(f, c, differences), true
}

func runFunction(f *stdlib.Function, c *vectorCase, differences map[string]int) string {
	width := 1
	ret, err := parseTestType(c.Ret)
	if err == nil && ret.Base.IsComplex() {
		width = 2
	}
	before := fmt.Sprint(c.args)
	r, err := evaluate(f, c.args, width)
	switch {
	case c.Error && err == nil:
		return fmt.Sprintf("gave %v where an error is due", r.x)
	case c.Error:
		return ""
	case err != nil:
		return fmt.Sprintf("unexpected error: %v", err)
	case fmt.Sprint(c.args) != before:
		return "wrote to its arguments"
	}
	want, err := readTensor(c.Value, ret)
	if err != nil {
		return err.Error()
	}
	if fmt.Sprint(r.dims) != fmt.Sprint(want.Dims) {
		return fmt.Sprintf("sizes %v, want %v", r.dims, want.Dims)
	}
	if miss := compare("value", r.x, want.X, c.Tol, ret, nil); miss != "" {
		return miss
	}
	return checkGradient(f, c, r, ret, differences)
}

// compare checks numbers against tolerances; keep says which entries count.
func compare(what string, got, want []float64, tol json.RawMessage, ty types.Type, keep func(k int) bool) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%s has %d numbers, want %d", what, len(got), len(want))
	}
	tols := make([]float64, len(want))
	if tol == nil {
		for i, w := range want {
			tols[i] = 1e-12 * math.Abs(w)
		}
	} else if one, err := readTensor(tol, types.Real); err == nil {
		for i := range tols {
			tols[i] = one.X[0]
		}
	} else {
		if t, err := readTensor(tol, ty); err != nil || len(t.X) != len(want) {
			return fmt.Sprintf("bad tolerances: %v", err)
		} else {
			tols = t.X
		}
	}
	for i, w := range want {
		if keep != nil && !keep(i) {
			continue
		}
		if !closeTo(got[i], w, tols[i]) {
			return fmt.Sprintf("%s[%d] is %.17g, want %.17g (error %.2g, tolerance %.2g)", what, i, got[i], w, math.Abs(got[i]-w), tols[i])
		}
	}
	return ""
}

func checkGradient(f *stdlib.Function, c *vectorCase, r result, ret types.Type, differences map[string]int) string {
	ordinary := c.tagged("ordinary") || c.tagged("vector") || c.tagged("container") || c.tagged("complex")
	test := ordinary && c.Sym == nil && c.Tri == nil && differences[c.Fn] < 4
	if c.Grad == nil && !test || len(r.x) == 0 {
		return ""
	}
	if !differentiable(f) {
		if c.Grad == nil {
			return ""
		}
		for i, g := range c.Grad { // no derivatives: all must be zero
			zero := make([]float64, len(c.args[i].X))
			if miss := compareGradient(c, i, g, zero); miss != "" {
				return "no derivatives: " + miss
			}
		}
		return ""
	}
	adj := weights(c, ret, len(r.x))
	want := make([]bool, len(c.args))
	for i := range want {
		want[i] = c.types[i].Base != types.IntBase && !strings.HasPrefix(c.Types[i], "data ")
		if c.Grad != nil {
			want[i] = string(c.Grad[i]) != "null"
		}
	}
	all, err := gradients(f, c.args, r, adj, want)
	if err != nil {
		return err.Error()
	}
	for how, din := range all {
		for i := range c.Grad {
			if want[i] && !rounded(c, i, din[i]) {
				if miss := compareGradient(c, i, c.Grad[i], din[i]); miss != "" {
					return how + ": " + miss
				}
			}
		}
	}
	if miss := checkPartial(f, c, r, adj, want, all); miss != "" {
		return miss
	}
	if test {
		differences[c.Fn]++
		return checkDifferences(f, c, r, adj, want, all)
	}
	return ""
}

// weights returns the case's adj, or all ones.
func weights(c *vectorCase, ret types.Type, n int) []float64 {
	if c.Adj != nil {
		if a, err := readTensor(c.Adj, ret); err == nil && len(a.X) == n {
			return a.X
		}
	}
	adj := make([]float64, n)
	for i := range adj {
		adj[i] = 1
	}
	return adj
}

func compareGradient(c *vectorCase, i int, raw json.RawMessage, got []float64) string {
	if string(raw) == "null" {
		return ""
	}
	want, err := readTensor(raw, c.types[i])
	if err != nil {
		return err.Error()
	}
	var keep func(int) bool
	g := append([]float64(nil), got...)
	if d := want.Dims; len(d) == 2 && c.types[i].Dims == 0 {
		n := d[0]
		for _, s := range c.Sym {
			if s == i {
				for k := range g {
					row, col := k%n, k/n
					g[k] = (got[k] + got[row*n+col]) / 2
				}
			}
		}
		for _, s := range c.Tri {
			if s == i {
				keep = func(k int) bool { return k%n >= k/n }
			}
		}
	}
	var tol json.RawMessage
	if c.GTol != nil {
		tol = c.GTol[i]
	}
	return compare(fmt.Sprintf("gradient %d", i), g, want.X, tol, c.types[i], keep)
}

// checkPartial asks for one argument's gradient at a time, which must not change it.
func checkPartial(f *stdlib.Function, c *vectorCase, r result, adj []float64, want []bool, all map[string][][]float64) string {
	if f.Kernel == nil {
		return ""
	}
	for i := range want {
		if !want[i] {
			continue
		}
		one := make([]bool, len(want))
		one[i] = true
		some, err := gradients(f, c.args, r, adj, one)
		if err != nil {
			return err.Error()
		}
		for how, din := range some {
			for k, g := range din[i] {
				if !closeTo(g, all[how][i][k], 1e-10*math.Abs(g)+1e-12) {
					return fmt.Sprintf("%s: gradient %d[%d] is %g alone, %g with others", how, i, k, g, all[how][i][k])
				}
			}
		}
	}
	return ""
}

// checkDifferences compares with central differences at two steps; the better counts.
func checkDifferences(f *stdlib.Function, c *vectorCase, r result, adj []float64, want []bool, all map[string][][]float64) string {
	at := func(i, k int, x float64) float64 {
		old := c.args[i].X[k]
		defer func() { c.args[i].X[k] = old }()
		c.args[i].X[k] = x
		s, err := evaluate(f, c.args, 1+boolToInt(len(r.x) == 2*product(r.dims)))
		if err != nil || len(s.x) != len(adj) {
			return math.NaN()
		}
		sum := 0.0
		for j, v := range s.x {
			sum += adj[j] * (v - r.x[j])
		}
		return sum
	}
	for i := range want {
		if !want[i] {
			continue
		}
		for k := 0; k < min(len(c.args[i].X), 20); k++ {
			x := c.args[i].X[k]
			best := math.Inf(1)
			var d float64
			for _, h := range []float64{1e-3, 1e-5, 1e-7} {
				h *= 0.1 + math.Abs(x)
				d = (at(i, k, x+h) - at(i, k, x-h)) / (2 * h)
				for _, din := range all {
					g := din[i][k]
					if e := math.Abs(g-d) / (1e-3 + math.Abs(g)); e < best || math.IsNaN(e) {
						best = e
					}
				}
			}
			if best > 1e-4 {
				return fmt.Sprintf("gradient %d[%d] differs from central differences by %.2g relative (difference quotient %g)", i, k, best, d)
			}
		}
	}
	return ""
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A table counts passes by file and tag, and vectors at fault.
type table struct {
	pass, total, faulty map[[2]string]int
	misses              []string
	bad                 []string
}

func newTable() *table {
	return &table{pass: map[[2]string]int{}, total: map[[2]string]int{}, faulty: map[[2]string]int{}}
}

func (tab *table) count(c *vectorCase, miss string, faulty bool) {
	tag := "untagged"
	if len(c.Tags) > 0 {
		tag = c.Tags[0]
	}
	key := [2]string{c.File, tag}
	tab.total[key]++
	if faulty {
		tab.faulty[key]++
	}
	if miss == "" {
		tab.pass[key]++
		return
	}
	tab.misses = append(tab.misses, fmt.Sprintf("%-15s %-15s %s: %s", c.File, tag, c.name(), miss))
}

func (tab *table) print(t *testing.T) {
	keys := make([][2]string, 0, len(tab.total))
	for k := range tab.total {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i][0] < keys[j][0] || keys[i][0] == keys[j][0] && keys[i][1] < keys[j][1]
	})
	var b strings.Builder
	pass, total := 0, 0
	hardPass, hardTotal := map[string]int{}, map[string]int{}
	for _, k := range keys {
		fmt.Fprintf(&b, "%-16s %-16s %5d / %d", k[0], k[1], tab.pass[k], tab.total[k])
		if n := tab.faulty[k]; n > 0 {
			fmt.Fprintf(&b, " (%d vectors at fault)", n)
		}
		b.WriteByte('\n')
		pass, total = pass+tab.pass[k], total+tab.total[k]
		if hardTags[k[1]] {
			hardPass[k[1]] += tab.pass[k]
			hardTotal[k[1]] += tab.total[k]
			if float64(tab.pass[k]) < hardShare*float64(tab.total[k]-tab.faulty[k]) {
				tab.bad = append(tab.bad, k[0]+"/"+k[1])
			}
		} else if tab.pass[k] < tab.total[k] {
			tab.bad = append(tab.bad, k[0]+"/"+k[1])
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(hardTotal)) {
		n := hardTotal[tag]
		fmt.Fprintf(&b, "%-16s %-16s %5d / %d\n", "all files", tag, hardPass[tag], n)
		if float64(hardPass[tag]) < hardShare*float64(n) {
			tab.bad = append(tab.bad, tag)
		}
	}
	t.Logf("conformance, passed of tested, by file and tag:\n%sall %d / %d", b.String(), pass, total)
	for _, m := range tab.misses {
		t.Log("miss: " + m)
	}
	if len(tab.bad) > 0 {
		t.Errorf("below target: %s", strings.Join(tab.bad, ", "))
	}
}
