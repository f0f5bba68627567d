// This file finds parameters whose elements may be exchanged without changing the posterior,
// and puts them into an order.

package population

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
)

// A group is a set of parameters whose elements may be exchanged together.
type group struct {
	names []string // of the parameters
	// of[k] are the columns of element k, in the same order for all k.
	of [][]int
}

const (
	mostElements = 20 // of a group
	exchangeTry  = 5  // draws of the fit at which the density is compared
	exchangeAll  = 60 // points of the population, which may be where no draw is
	sameDensity  = 1e-8
)

// exchangeable are the groups that leave the density as it is: parameters with an index of
// one size, together or one by one.
func (c *check) exchangeable() (out []*group) {
	u, ok := c.model.(infer.Unadjusted)
	if !ok {
		return nil
	}
	target := u.Density(false, false)
	points := sampleRows(c.model.ParameterColumns(), c.draws, exchangeTry)
	if len(points) == 0 {
		return nil
	}
	points = points[:min(len(points), exchangeTry)]
	for i := 0; i < len(c.rows); i += 1 + len(c.rows)/exchangeAll {
		points = append(points, c.rows[i])
	}
	for _, g := range candidates(c.model.ParameterColumns()) {
		if c.invariant(target, g, points) {
			out = append(out, g)
		}
	}
	return out
}

// candidates are groups by the size of the first or the last index.
func candidates(columns []string) (out []*group) {
	type indexed struct {
		name string
		of   [][]int
	}
	var all []indexed
	for _, last := range []bool{false, true} {
		start := 0
		for i := range columns {
			name := base(columns[i])
			if i+1 < len(columns) && base(columns[i+1]) == name {
				continue
			}
			if of := elements(columns[start:i+1], start, last); of != nil && !(last && strings.Count(columns[i], ".") == 1) {
				all = append(all, indexed{name, of})
			}
			start = i + 1
		}
	}
	var sizes []int
	for _, x := range all {
		if n := len(x.of); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	for _, n := range sizes {
		together := &group{of: make([][]int, n)}
		var single []*group
		for _, x := range all {
			if len(x.of) == n && !slices.Contains(together.names, x.name) {
				together.names = append(together.names, x.name)
				for k := range n {
					together.of[k] = append(together.of[k], x.of[k]...)
				}
			}
			if len(x.of) == n {
				single = append(single, &group{names: []string{x.name}, of: x.of})
			}
		}
		out = append(out, together)
		if len(single) > 1 {
			out = append(out, single...)
		}
	}
	return out
}

// base is the parameter of a column.
func base(column string) string {
	name, _, _ := strings.Cut(column, ".")
	return name
}

// elements are the columns of each element of a parameter by its first or last index; nil
// where there is no such index, or the parts are not of one size.
func elements(columns []string, start int, last bool) [][]int {
	var of [][]int
	for i, column := range columns {
		parts := strings.Split(column, ".")
		if len(parts) < 2 {
			return nil
		}
		at := parts[1]
		if last {
			at = parts[len(parts)-1]
		}
		k, err := strconv.Atoi(at)
		if err != nil || k < 1 || k > mostElements {
			return nil
		}
		for len(of) < k {
			of = append(of, nil)
		}
		of[k-1] = append(of[k-1], start+i)
	}
	if len(of) < 2 || slices.ContainsFunc(of, func(x []int) bool { return len(x) != len(of[0]) }) {
		return nil
	}
	return of
}

// invariant reports whether the density stays the same when two neighbours of a group are
// exchanged.
func (c *check) invariant(t infer.Target, g *group, points [][]float64) bool {
	told := false
	for _, row := range points {
		before, ok := c.density(t, row)
		if !ok {
			return false
		}
		for k := range len(g.of) - 1 {
			swapped := slices.Clone(row)
			for i := range g.of[k] {
				a, b := g.of[k][i], g.of[k+1][i]
				swapped[a], swapped[b] = row[b], row[a]
			}
			told = told || !slices.Equal(swapped, row)
			after, ok := c.density(t, swapped)
			if !ok || math.Abs(after-before) > sameDensity*max(1, math.Abs(before)) {
				return false
			}
		}
	}
	return told
}

// density is the log density at values of the parameters, without Jacobian.
func (c *check) density(t infer.Target, row []float64) (float64, bool) {
	q, err := c.model.UnconstrainRow(row)
	if err != nil || len(q) != t.Dim() {
		return 0, false
	}
	lp, err := t.LogDensity(q)
	return lp, err == nil && !math.IsNaN(lp) && !math.IsInf(lp, 0)
}

// ordered are rows with the elements of the group in ascending order of their first column.
// Without a group they are the rows themselves.
func (g *group) ordered(rows [][]float64) [][]float64 {
	if g == nil {
		return rows
	}
	out := make([][]float64, len(rows))
	for i, row := range rows {
		order := make([]int, len(g.of))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[g.of[a][0]], row[g.of[b][0]]) })
		out[i] = slices.Clone(row)
		for to, from := range order {
			for j, column := range g.of[to] {
				out[i][column] = row[g.of[from][j]]
			}
		}
	}
	return out
}
