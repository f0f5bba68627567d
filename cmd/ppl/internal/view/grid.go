package view

// This file shows the fits of a grid of priors beside each other.

import (
	"fmt"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A GridPoint says which of a grid's priors a fit is under.
type GridPoint struct {
	Grid     string `json:"name"`
	Variable string `json:"variable"`
	Value    string `json:"value"` // as written
}

// Grids are tables of the fits of each grid: a row for each value of its variable, with the verdict and the means and sds of as
// many parameters as the width has room for; 0 is any.
func Grids(reports []Report, width int) string {
	out := ""
	for i, first := range reports {
		if first.Grid == nil || i > 0 && reports[i-1].Grid != nil && reports[i-1].Grid.Grid == first.Grid.Grid {
			continue
		}
		end := i
		for end < len(reports) && reports[end].Grid != nil && reports[end].Grid.Grid == first.Grid.Grid {
			end++
		}
		out += first.Grid.Grid + "\n" + gridTable(reports[i:end], width)
	}
	return problem.Printable(out)
}

// gridTable is the table of one grid. The last column stands for the parameters that there is no room for.
func gridTable(points []Report, width int) string {
	rows := [][]string{{points[0].Grid.Variable, "verdict"}}
	for _, r := range points {
		rows = append(rows, []string{r.Grid.Value, string(diagnose.Worst(r.Findings))})
	}
	taken := widest(rows, 0) + widest(rows, 1) + 4
	left := 0
	for k, s := range points[0].Parameters {
		if s.Name == draws.LogDensityColumn {
			continue
		}
		column := [][]string{{s.Name + ": mean", "sd"}}
		for _, r := range points {
			p := r.Parameters[k]
			place := Decimals(p.MCSE)
			column = append(column, []string{Fixed(p.Mean, place), Fixed(p.SD, place)})
		}
		const most, gap = 10, 2 // columns whose cells a table puts to the right, and what stands between them
		if taken += widest(column, 0) + widest(column, 1) + 2*gap; left > 0 || len(rows[0]) == most || width > 0 && taken > width {
			left++
			continue
		}
		for i := range rows {
			rows[i] = append(rows[i], column[i]...)
		}
	}
	t := NewTable()
	t.AppendHeader(Cells(rows[0]))
	for _, row := range rows[1:] {
		t.AppendRow(Cells(row))
	}
	out := t.Render() + "\n"
	if left > 0 {
		out += fmt.Sprintf("... and %d more parameters, which stand above\n", left)
	}
	return out
}

func widest(rows [][]string, k int) (n int) {
	for _, row := range rows {
		n = max(n, utf8.RuneCountInString(row[k]))
	}
	return n
}
