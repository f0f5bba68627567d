package stdlib_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// TestTransformFunctions runs the rows X_constrain, X_jacobian and X_unconstrain on the
// conformance vectors of the transforms: value, log Jacobian, gradient, and the
// derivative of the inverse by the chain rule.
func TestTransformFunctions(t *testing.T) {
	lib := stdlib.New()
	tested := map[string]int{}
	for _, c := range readCases(t) {
		prefix, ok := strings.CutSuffix(c.Fn, "_jacobian")
		if !ok || c.tagged("stick-breaking") {
			continue
		}
		f, _ := selectRow(lib, c)
		if f == nil {
			t.Errorf("%s: no row", c.name())
			continue
		}
		tested[prefix]++
		if miss := runTransformRow(f, c); miss != "" {
			t.Errorf("%s: %s", c.name(), miss)
			continue
		}
		if c.tagged("ordinary") && prefix != "unit_vector" {
			if miss := runInverseRow(lib, f, prefix, c); miss != "" {
				t.Errorf("%s: %s", c.name(), miss)
			}
		}
	}
	if len(tested) < 15 {
		t.Errorf("only %d transforms tested", len(tested))
	}
}

func runTransformRow(f *stdlib.Function, c *vectorCase) string {
	x, err := evaluate(f, c.args, 1)
	if c.Error {
		if err == nil {
			return "accepted where an error is due"
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	lj, err := evaluate(f.Jacobian, c.args, 1)
	if err != nil {
		return err.Error()
	}
	ret, err := parseTestType(c.Ret)
	if err != nil {
		return err.Error()
	}
	want, err := readTensor(c.Value, ret)
	if err != nil {
		return err.Error()
	}
	if miss := compare("value", x.x, want.X, c.Tol, ret, nil); miss != "" {
		return miss
	}
	w, err := readTensor(c.LogJacobian, types.Real)
	if err != nil {
		return err.Error()
	}
	if !closeTo(lj.x[0], w.X[0], c.LJTol) {
		return fmt.Sprintf("log Jacobian is %v, want %v", lj.x[0], w.X[0])
	}
	if c.Grad == nil {
		return ""
	}
	din := make([][]float64, len(c.args))
	for i := range din {
		din[i] = make([]float64, len(c.args[i].X))
	}
	f.Kernel.VJP(c.args, x.x, weights(c, ret, len(x.x)), din, scratch(f.Kernel, c.args))
	f.Jacobian.Kernel.VJP(c.args, lj.x, []float64{1}, din, scratch(f.Jacobian.Kernel, c.args))
	for i, g := range c.Grad {
		if miss := compareGradient(c, i, g, din[i]); miss != "" {
			return miss
		}
	}
	return ""
}

// runInverseRow checks that the inverse inverts, and that pulling weights back through
// inverse and transform gives the weights again.
func runInverseRow(lib *stdlib.Library, f *stdlib.Function, prefix string, c *vectorCase) string {
	x, err := evaluate(f, c.args, 1)
	if err != nil {
		return err.Error()
	}
	ret, err := parseTestType(c.Ret)
	if err != nil {
		return err.Error()
	}
	back := *c
	back.Fn = prefix + "_unconstrain"
	back.types, back.Types = []types.Type{ret}, []string{c.Ret}
	back.args = []stdlib.Tensor{{Dims: x.dims, X: x.x}}
	for i, ty := range c.types[1:] {
		if ty.Base != types.IntBase {
			back.types, back.Types = append(back.types, ty), append(back.Types, c.Types[i+1])
			back.args = append(back.args, c.args[i+1])
		}
	}
	g, _ := selectRow(lib, &back)
	if g == nil {
		return "no row for the inverse"
	}
	free, err := evaluate(g, back.args, 1)
	if err != nil {
		return "inverse: " + err.Error()
	}
	if !slices.Equal(free.dims, c.args[0].Dims) {
		return fmt.Sprintf("the inverse has sizes %v, want %v", free.dims, c.args[0].Dims)
	}
	weight := make([]float64, len(free.x))
	for i := range weight {
		if math.Abs(free.x[i]-c.args[0].X[i]) > 1e-6*(1+math.Abs(free.x[i])) {
			return fmt.Sprintf("the inverse gives %v, want %v", free.x, c.args[0].X)
		}
		weight[i] = math.Cos(float64(i + 1))
	}
	din := make([][]float64, len(back.args))
	for i := range din {
		din[i] = make([]float64, len(back.args[i].X))
	}
	g.Kernel.VJP(back.args, free.x, weight, din, scratch(g.Kernel, back.args))
	dx := din[0]
	dfree := make([]float64, len(free.x))
	din = make([][]float64, len(c.args))
	din[0] = dfree
	f.Kernel.VJP(c.args, x.x, dx, din, scratch(f.Kernel, c.args))
	for i := range weight {
		if math.Abs(dfree[i]-weight[i]) > 1e-6 {
			return fmt.Sprintf("the derivatives of transform and inverse compose to %v, want %v", dfree, weight)
		}
	}
	return ""
}

// TestUnitVectorSpellings checks that the two spellings of these functions are the same.
func TestUnitVectorSpellings(t *testing.T) {
	lib := stdlib.New()
	x := []stdlib.Tensor{{Dims: []int{2}, X: []float64{0.6, -0.8}}}
	for _, suffix := range []string{"_constrain", "_jacobian", "_unconstrain"} {
		one, err1 := evaluate(lib.Function("unit_vector"+suffix), x, 1)
		two, err2 := evaluate(lib.Function("unit_vectors"+suffix), x, 1)
		if err1 != nil || err2 != nil || !slices.Equal(one.x, two.x) {
			t.Errorf("%s: %v and %v, errors %v and %v", suffix, one.x, two.x, err1, err2)
		}
	}
}
