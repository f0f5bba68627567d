// This file finds normal factors that could be one.

package cavi

import "github.com/seed-12b88e03/ppl/infer"

// joinable reports whether the log density is of degree 2 at most in two blocks of real numbers
// together that stand in products with each other.
func (a *ascent) joinable() bool {
	blocks := a.f.Blocks
	normal := make([]bool, len(blocks))
	for i := range blocks {
		normal[i] = blocks[i].Support == infer.Line && quadratic(&blocks[i])
	}
	type pair [2]int32
	higher := map[pair]bool{} // pairs that stand in products, and whether in those of a higher degree
	for _, t := range a.f.Terms {
		for i, x := range t.Of {
			for _, y := range t.Of[:i] {
				if normal[x.Block] && normal[y.Block] {
					p := pair{y.Block, x.Block}
					higher[p] = higher[p] || degree(blocks[x.Block].Statistics[x.Statistic])+degree(blocks[y.Block].Statistics[y.Statistic]) > 2
				}
			}
		}
	}
	for _, h := range higher {
		if !h {
			return true
		}
	}
	return false
}

// degree is that of a product of powers of numbers.
func degree(s infer.Statistic) float64 {
	total := 0.0
	for _, f := range s {
		total += f.Power
	}
	return total
}
