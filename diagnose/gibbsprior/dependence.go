// This file compares how quantities depend on each other: means and spreads of each by itself do
// not see a correlation that an answer lacks.

package gibbsprior

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// mostDependences bounds the pairs of quantities that are compared: those that depend on each
// other most, in both samples together.
const mostDependences = 45

// Dependence compares how two quantities go together: by the correlation of their normal scores.
type Dependence struct {
	A     string       `json:"a"`
	B     string       `json:"b"`
	Prior draws.Number `json:"prior"`
	Gibbs draws.Number `json:"gibbs"`
	P     draws.Number `json:"p"` // adjusted over all pairs and quantities
}

// dependent are the pairs of places in the given lists of scores, one a quantity, whose mean
// product is largest; all for few.
func dependent(scores [][]float64) [][2]int {
	var pairs [][2]int
	strength := map[[2]int]float64{}
	for j := range scores {
		for i := range j {
			pair := [2]int{i, j}
			pairs = append(pairs, pair)
			strength[pair] = math.Abs(draws.Mean([][]float64{product(scores[i], scores[j])}))
		}
	}
	if len(pairs) > mostDependences {
		slices.SortStableFunc(pairs, func(a, b [2]int) int { return cmp.Compare(strength[b], strength[a]) })
		pairs = pairs[:mostDependences]
	}
	return pairs
}

// product multiplies two lists element by element.
func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = x * b[i]
	}
	return out
}

// products multiplies two quantities of the same chains.
func products(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for c := range a {
		out[c] = product(a[c], b[c])
	}
	return out
}

// dependences fills in the comparison of pairs but for their p-values, which it returns; z are the
// normal scores of each quantity, of the chains and of the prior.
func (f *Figures) dependences(z [][2][][]float64) (ps []float64) {
	all := make([][]float64, len(z))
	for k := range z {
		all[k] = slices.Concat(slices.Concat(z[k][0]...), slices.Concat(z[k][1]...))
	}
	f.Dependences = []Dependence{}
	for _, at := range dependent(all) {
		gibbs, prior := products(z[at[0]][0], z[at[1]][0]), products(z[at[0]][1], z[at[1]][1])
		root := func(k int) float64 {
			return math.Sqrt(draws.Mean(products(z[at[0]][k], z[at[0]][k])) * draws.Mean(products(z[at[1]][k], z[at[1]][k])))
		}
		f.Dependences = append(f.Dependences, Dependence{A: f.Statistics[at[0]].Name, B: f.Statistics[at[1]].Name,
			Gibbs: draws.Number(draws.Mean(gibbs) / root(0)), Prior: draws.Number(draws.Mean(prior) / root(1))})
		ps = append(ps, sameMean(gibbs, prior))
	}
	return ps
}
