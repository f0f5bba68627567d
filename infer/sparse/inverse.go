// What follows from a factorised matrix: its determinant, and the elements of its inverse where the
// factor may differ from zero (Takahashi, Fagan and Chen, "Formation of a sparse bus impedance
// matrix", 1973): the covariances of neighbours, at the cost of a factorisation.

package sparse

import "github.com/seed-12b88e03/ppl/autodiff/libm"

// LogDet is the log of the determinant of the matrix that Draw has factorised.
func (f *Factor) LogDet() float64 {
	sum := 0.0
	for j := range f.p.n {
		sum += libm.Log(f.Matrix[f.p.start[j]])
	}
	return 2 * sum
}

// Inverse fills to with elements of the inverse of the matrix that Draw has factorised, where At says.
// With P = L L' and S its inverse, S L = L'^-1, whose elements below the diagonal are zero: that
// gives column j of S from those after it.
func (f *Factor) Inverse(to []float64) {
	p, l := f.p, f.Matrix
	for j := p.n - 1; j >= 0; j-- {
		from, end := p.start[j], p.start[j+1]
		for at := from + 1; at < end; at++ {
			f.column[p.row[at]], to[at] = at+1, 0
		}
		for a := from + 1; a < end; a++ { // to[a] becomes the sum over k of S(row of a, k) L(k, j)
			k := p.row[a]
			to[a] += float64(l[a] * to[p.start[k]])
			for b := p.start[k] + 1; b < p.start[k+1]; b++ {
				if c := f.column[p.row[b]] - 1; c >= 0 {
					to[c] += float64(l[a] * to[b])
					to[a] += float64(l[c] * to[b])
				}
			}
		}
		sum := 0.0
		for at := from + 1; at < end; at++ {
			to[at] /= -l[from]
			sum += float64(l[at] * to[at])
			f.column[p.row[at]] = 0
		}
		to[from] = (1/l[from] - sum) / l[from]
	}
}
