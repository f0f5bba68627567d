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
// a variable with a row for each of array[N] was read, and J where a column holds text and its values are declared to be at
// most J. Text must be declared as integers; the error is a *data.Error.
func ImplySizes(prog *ir.Program, in *data.Set) error {
	if !in.HasTable() {
		return nil
	}
	for _, v := range prog.Data {
		x := in.Vars[v.Name]
		if x == nil || x.Levels == nil {
			continue
		}
		if v.Type.Base != types.IntBase {
			return in.ErrorAt(x, []int{0}, "data-type", "the program declares %s, found a column of text; text is numbered where int is declared", v.Type)
		}
		in.Remarks = append(in.Remarks, v.Name+": "+shownLevels(x.Levels))
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
		if c := v.Decl.Constraint; c != nil && x.Levels != nil && strings.HasSuffix(c.Name, "upper") {
			imply(c.Args[len(c.Args)-1], len(x.Levels), "the different texts of "+v.Name)
		}
	}
	return nil
}

// shownLevels says which number which text has.
func shownLevels(levels []string) string {
	const most = 6
	var out []string
	for i, text := range levels[:min(most, len(levels))] {
		out = append(out, fmt.Sprintf("%d = %q", i+1, text))
	}
	if len(levels) > most {
		out = append(out, "...", fmt.Sprintf("%d = %q", len(levels), levels[len(levels)-1]))
	}
	return strings.Join(out, ", ")
}
