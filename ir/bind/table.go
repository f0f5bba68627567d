package bind

// This file completes data that come from tables, which have no sizes: their rows imply them.

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// ImplySizes adds integers that a program declares and tables imply to a data set, and its remarks name them: N where
// a variable with a row for each of array[N] was read, and J where columns hold text and their values are declared from 1 to
// J. Text elsewhere is a *data.Error: what is not declared so is no number of a group.
func ImplySizes(prog *ir.Program, in *data.Set) error {
	if !in.HasTable() {
		return nil
	}
	sharing := map[*ir.Var][]*data.Value{} // columns of text by the variable that bounds them
	for _, v := range prog.Data {
		x := in.Vars[v.Name]
		if x == nil || x.Levels == nil {
			continue
		}
		if !isIndex(v) {
			return in.ErrorAt(x, []int{0}, "data-type", "found a column of text, which is numbered where int<lower=1, upper=J> is declared, and the program declares %s", v.Type)
		}
		if bound := upperBound(v); bound != nil {
			sharing[bound] = append(sharing[bound], x)
		}
	}
	for _, columns := range sharing {
		data.ShareLevels(columns)
	}
	for _, v := range prog.Data {
		if x := in.Vars[v.Name]; x != nil && x.Levels != nil {
			in.Remarks = append(in.Remarks, v.Name+": "+shownLevels(x.Levels))
		}
	}
	imply := func(e ir.Expr, n int, why string) {
		ref, ok := e.(*ir.Ref)
		if !ok || ref.Var.Kind != ir.Datum || in.Vars[ref.Var.Name] != nil || ref.Var.Type.Base != types.IntBase || ref.Var.Type.Dims > 0 {
			return
		}
		in.AddSize(ref.Var.Name, n)
		in.Remarks = append(in.Remarks, fmt.Sprintf("%s = %d, %s", ref.Var.Name, n, why))
	}
	for _, v := range prog.Data {
		x := in.Vars[v.Name]
		if x == nil || v.Decl == nil {
			continue
		}
		for i, size := range v.Decl.Sizes {
			if i < len(x.Dims) {
				imply(size, x.Dims[i], []string{"the rows of ", "the columns of "}[min(i, 1)]+v.Name)
			}
		}
		if x.Levels != nil {
			imply(v.Decl.Constraint.Args[1], len(x.Levels), "the different texts of "+v.Name)
		}
	}
	return nil
}

// isIndex reports whether the values of a variable are declared to be integers from 1 to some bound.
func isIndex(v *ir.Var) bool {
	if v.Type.Base != types.IntBase || v.Decl == nil || v.Decl.Constraint == nil || v.Decl.Constraint.Name != "lower_upper" {
		return false
	}
	lower, ok := v.Decl.Constraint.Args[0].(*ir.Const)
	return ok && lower.X == 1
}

// upperBound is the data variable that bounds the values of an index; nil where it is none.
func upperBound(v *ir.Var) *ir.Var {
	if ref, ok := v.Decl.Constraint.Args[1].(*ir.Ref); ok && ref.Var.Kind == ir.Datum {
		return ref.Var
	}
	return nil
}

// shownLevels says which number which text has.
func shownLevels(levels []string) string {
	const most, first = 12, 8 // shown if they are all, and before what is left out if they are not
	shown := levels
	if len(levels) > most {
		shown = levels[:first]
	}
	var out []string
	for i, text := range shown {
		out = append(out, fmt.Sprintf("%d = %q", i+1, text))
	}
	if left := len(levels) - len(shown) - 1; left > 0 {
		out = append(out, fmt.Sprintf("%d more in the order of their bytes", left), fmt.Sprintf("%d = %q", len(levels), levels[len(levels)-1]))
	}
	return strings.Join(out, ", ")
}
