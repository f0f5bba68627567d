// Package sparse draws from normal distributions given by precision matrices of which
// many elements are always zero.
//
// With the precision P = L L' and the vector b, x = (L')^-1 (L^-1 b + z), z standard
// normal, has mean P^-1 b and covariance P^-1 (Rue, "Fast sampling of Gaussian Markov
// random fields", J. R. Stat. Soc. B 63, 2001). What can differ from zero in L is found
// once, after the variables were put in order of least degree; a factorisation then
// costs what its nonzero elements cost: linear in the groups of a hierarchical model.
//
// A Pattern is immutable; a Factor belongs to one goroutine and allocates nothing after
// it was made.
package sparse

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Pattern says where a symmetric matrix and its Cholesky factor may differ from zero.
type Pattern struct {
	n     int
	place []int32 // of each variable in the order of elimination
	start []int32 // of each column of L in row; the diagonal comes first
	row   []int32
	// lead lists for each column j, from leadStart[j] on, the positions of the elements
	// of row j in earlier columns, and end the ends of their columns.
	leadStart []int32
	lead, end []int32
}

// NewPattern analyses an n x n matrix whose elements (i, j) of pairs, and those of the
// diagonal, may differ from zero.
func NewPattern(n int, pairs [][2]int) *Pattern {
	near := NewGraph(n)
	for _, p := range pairs {
		near.Join(p[0], p[1])
	}
	p := &Pattern{n: n, place: make([]int32, n), start: make([]int32, 1, n+1)}
	columns := p.eliminate(near)
	for j, others := range columns {
		rows := []int32{int32(j)}
		for _, v := range others {
			rows = append(rows, p.place[v])
		}
		slices.Sort(rows)
		p.row = append(p.row, rows...)
		p.start = append(p.start, int32(len(p.row)))
	}
	p.leads()
	return p
}

// eliminate puts the variables in order, always one with fewest neighbours next, which
// become neighbours of each other; it gives these for each.
func (p *Pattern) eliminate(near Graph) (columns [][]int) {
	gone := make([]bool, p.n)
	for j := range p.n {
		best := -1
		for v := range p.n {
			if !gone[v] && (best < 0 || len(near[v]) < len(near[best])) {
				best = v
			}
		}
		gone[best] = true
		p.place[best] = int32(j)
		columns = append(columns, near.Eliminate(best))
	}
	return columns
}

func (p *Pattern) leads() {
	lists := make([][][2]int32, p.n)
	for k := range p.n {
		for at := p.start[k] + 1; at < p.start[k+1]; at++ {
			j := p.row[at]
			lists[j] = append(lists[j], [2]int32{at, p.start[k+1]})
		}
	}
	p.leadStart = make([]int32, 1, p.n+1)
	for _, l := range lists {
		for _, e := range l {
			p.lead, p.end = append(p.lead, e[0]), append(p.end, e[1])
		}
		p.leadStart = append(p.leadStart, int32(len(p.lead)))
	}
}

// Size counts the elements of L that may differ from zero.
func (p *Pattern) Size() int { return len(p.row) }

// At is where element (i, j) of a matrix lies in Factor.Matrix; both (i, j) and (j, i)
// are there.
func (p *Pattern) At(i, j int) int {
	a, b := p.place[i], p.place[j]
	if a > b {
		a, b = b, a
	}
	column := p.row[p.start[a]:p.start[a+1]]
	k, ok := slices.BinarySearch(column, b)
	if !ok {
		panic("sparse: the element is always zero")
	}
	return int(p.start[a]) + k
}

// Place is the position of variable i in Factor.Vector.
func (p *Pattern) Place(i int) int { return int(p.place[i]) }

// A Factor is memory for one matrix and one vector.
type Factor struct {
	Matrix []float64 // the elements where At says; Draw overwrites them with those of L
	Vector []float64 // b on entry to Draw, then the variate, where Place says
	p      *Pattern
	work   []float64
	column []int32 // scratch of Inverse: where each row is in the current column, plus one
}

// NewFactor makes one.
func (p *Pattern) NewFactor() *Factor {
	return &Factor{Matrix: make([]float64, len(p.row)), Vector: make([]float64, p.n), p: p, work: make([]float64, p.n), column: make([]int32, p.n)}
}

// Draw replaces Vector, b, by a draw from the normal distribution with precision Matrix
// and mean the solution of Matrix * x = b, or by the mean where rng is nil. False says that
// Matrix is not positive definite.
func (f *Factor) Draw(rng *rand.Rand) bool {
	if !f.factorise() {
		return false
	}
	p, l, x := f.p, f.Matrix, f.Vector
	for j := range p.n {
		from, to := p.start[j], p.start[j+1]
		v := x[j] / l[from]
		x[j] = v
		for at := from + 1; at < to; at++ {
			x[p.row[at]] -= float64(l[at] * v)
		}
	}
	for j := p.n - 1; j >= 0; j-- {
		from, to := p.start[j], p.start[j+1]
		v := x[j]
		if rng != nil {
			v += variate.Normal(rng)
		}
		for at := from + 1; at < to; at++ {
			v -= float64(l[at] * x[p.row[at]])
		}
		x[j] = v / l[from]
	}
	return true
}

// factorise overwrites the matrix by its Cholesky factor, column by column.
func (f *Factor) factorise() bool {
	p, l, w := f.p, f.Matrix, f.work
	for j := range p.n {
		from, to := p.start[j], p.start[j+1]
		for k := p.leadStart[j]; k < p.leadStart[j+1]; k++ {
			first, end := p.lead[k], p.end[k]
			v := l[first]
			for at := first; at < end; at++ {
				w[p.row[at]] += float64(v * l[at])
			}
		}
		d := l[from] - w[j]
		w[j] = 0
		if !(d > 0) || math.IsInf(d, 1) {
			clear(w)
			return false
		}
		d = math.Sqrt(d)
		l[from] = d
		for at := from + 1; at < to; at++ {
			r := p.row[at]
			l[at] = (l[at] - w[r]) / d
			w[r] = 0
		}
	}
	return true
}
