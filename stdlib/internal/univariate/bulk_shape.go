// This file holds the tight loops of densities with gamma functions for each element.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// manyShape is the greatest shape whose normalising constant is taken as a difference of
// gamma functions: of larger ones it would lose digits.
const manyShape = 100

// manyShapes is from how many elements on pieces are faster than one after the other.
const manyShapes = 32

// A shapePiece is a piece of a vector of shapes, with log gamma and digamma.
type shapePiece struct {
	x, lg, psi [piece]float64
}

// load takes elements lo to hi.
func (s *shapePiece) load(c Column, lo, hi int) {
	for i := range hi - lo {
		s.x[i] = c.at(lo + i)
	}
	s.compute(hi - lo)
}

// add takes the sums of the elements of two others.
func (s *shapePiece) add(n int, a, b *shapePiece) {
	vec.AddVV.Map(s.x[:n], a.x[:n], b.x[:n])
	s.compute(n)
}

func (s *shapePiece) compute(n int) { vec.LgammaPsi(s.lg[:n], s.psi[:n], s.x[:n]) }

// gammaShapes does a shape of moderate size for each element.
func gammaShapes(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < manyShapes || !vec.Within(in[1].X, 1e-3, manyShape) || !vec.Within(in[0].X, 1e-100, 1e100) || !vec.Within(in[2].X, 1e-100, 1e100) {
		return 0, false
	}
	var a shapePiece
	var logs, logs2 [piece]float64
	y, rate := ColumnOf(in[0]), ColumnOf(in[2])
	dy, da, db := gradientOf(din, in, 0), gradientOf(din, in, 1), gradientOf(din, in, 2)
	sum := 0.0
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		a.load(ColumnOf(in[1]), lo, lo+m)
		for i := range m {
			logs[i] = y.at(lo + i)
			logs2[i] = rate.at(lo+i) * logs[i]
		}
		vec.Log.Map(logs[:m], logs[:m])
		vec.Log.Map(logs2[:m], logs2[:m])
		for i := range m {
			v, b := y.at(lo+i), rate.at(lo+i)
			sum += float64(a.x[i]*logs2[i]) - float64(b*v) - logs[i] - a.lg[i]
			dy.add(lo+i, adj*((a.x[i]-1)/v-b))
			da.add(lo+i, adj*(logs2[i]-a.psi[i]))
			db.add(lo+i, adj*(a.x[i]/b-v))
		}
	}
	return sum, true
}

// negBinomialPrecisions does a precision of moderate size for each element, and small
// counts.
func negBinomialPrecisions(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < manyShapes || !vec.Within(in[0].X, 0, 255) || !vec.Within(in[1].X, -700, 700) || !vec.Within(in[2].X, 1e-3, manyShape) {
		return 0, false
	}
	args := [3]vec.Arg{termArg(in, din, 1), termArg(in, din, 2), termArg(in, nil, 0)}
	t := vec.NegBinomialPhiTerm.Run(n, args[:], adj)
	addSingle(in, din, 1, t.D[0])
	addSingle(in, din, 2, t.D[1])
	var phi, k, both shapePiece
	counts, dphi := ColumnOf(in[0]), gradientOf(din, in, 2)
	sum := t.Sum[0] - LogFactorialSum(n, in[0])
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		phi.load(ColumnOf(in[2]), lo, lo+m)
		for i := range m {
			k.x[i] = counts.at(lo + i)
		}
		both.add(m, &phi, &k)
		for i := range m {
			sum += both.lg[i] - phi.lg[i]
			dphi.add(lo+i, adj*(both.psi[i]-phi.psi[i]))
		}
	}
	return sum, true
}
