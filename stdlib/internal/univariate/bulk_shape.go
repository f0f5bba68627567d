// This file holds the tight loops of densities with gamma functions for each element.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// manyShape is the greatest shape whose normalising constant is taken as a difference of
// gamma functions: of larger ones it would lose digits.
const manyShape = 100

// What the vector kernel of log B does without loss of digits.
const leastShape, greatestShape = 1e-2, 1e8

func moderateShapes(a []float64) bool { return vec.Within(a, leastShape, greatestShape) }

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

// NegBinomialPrecisions does precisions of moderate size, one for each element or a common one.
func NegBinomialPrecisions(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[0].X, 0, greatestShape/2) || !vec.Within(in[1].X, -700, 700) || !moderateShapes(in[2].X) {
		return 0, false
	}
	args := [3]vec.Arg{termArg(in, din, 1), termArg(in, din, 2), termArg(in, nil, 0)}
	t := vec.NegBinomialPhiTerm.Run(n, args[:], adj)
	addSingle(in, din, 1, t.D[0])
	addSingle(in, din, 2, t.D[1])
	return t.Sum[0] + choicesSum(n, in[0], in[2], adj, gradientOf(din, in, 2)), true
}

// choicesSum is the sum of log(Gamma(k+phi) / (Gamma(phi) k!)) as -log B(phi, k+1) - log(phi+k), which keeps
// its digits for large phi, and adj times its derivative in phi.
func choicesSum(n int, counts, phis catalogue.Tensor, adj float64, dphi Gradient) float64 {
	var phi, k, value, slope, other [piece]float64
	c, p := ColumnOf(counts), ColumnOf(phis)
	sum := 0.0
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		for i := range m {
			phi[i], k[i] = p.at(lo+i), c.at(lo+i)+1
		}
		vec.LbetaVV.Map(value[:m], phi[:m], k[:m])
		sum -= vec.Sum(value[:m])
		if dphi.d != nil {
			vec.LbetaPsi(slope[:m], other[:m], phi[:m], k[:m])
		}
		for i := range m {
			k[i] += phi[i] - 1
			dphi.add(lo+i, -adj*(slope[i]+1/k[i]))
		}
		vec.Log.Map(k[:m], k[:m])
		sum -= vec.Sum(k[:m])
	}
	return sum
}
