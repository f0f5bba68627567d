// This file holds the tight loops of densities with a beta function for each element.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A betaPiece is a piece of vectors of shapes, and of derivatives of log B in them.
type betaPiece struct {
	a, b, da, db [piece]float64
}

// betaShapesDone reports whether shapes are such that log B keeps its digits.
func betaShapesDone(x []float64) bool {
	return vec.Within(x, 1e-3, manyShape) || vec.Within(x, leastShape, greatestShape/2)
}

// sum is that of log B of the first n shapes; derivatives are multiplied by slope. Differences of
// gamma functions are exact enough for shapes up to several hundreds.
func (s *betaPiece) sum(n int, slope float64) float64 {
	const several = 500
	if !vec.Within(s.a[:n], 0, several) || !vec.Within(s.b[:n], 0, several) {
		return s.sumOfLarge(n, slope)
	}
	clear(s.da[:n])
	clear(s.db[:n])
	args := [2]vec.Arg{{X: s.a[:n], Vector: true, D: s.da[:n]}, {X: s.b[:n], Vector: true, D: s.db[:n]}}
	return vec.LbetaTerm.Run(n, args[:], slope).Sum[0]
}

// sumOfLarge is sum for shapes of any moderate size.
func (s *betaPiece) sumOfLarge(n int, slope float64) float64 {
	var value [piece]float64
	vec.LbetaVV.Map(value[:n], s.a[:n], s.b[:n])
	vec.LbetaPsi(s.da[:n], s.db[:n], s.a[:n], s.b[:n])
	for i := range n {
		s.da[i] *= slope
		s.db[i] *= slope
	}
	return vec.Sum(value[:n])
}

// betaShapes does shapes of moderate size for each element.
func betaShapes(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < manyShapes || !betaShapesDone(in[1].X) || !betaShapesDone(in[2].X) || !vec.Within(in[0].X, catalogue.LeastNormal, catalogue.BelowOne) {
		return 0, false
	}
	var s betaPiece
	a, b := ColumnOf(in[1]), ColumnOf(in[2])
	da, db := gradientOf(din, in, 1), gradientOf(din, in, 2)
	sum := 0.0
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		for i := range m {
			s.a[i], s.b[i] = a.at(lo+i), b.at(lo+i)
		}
		sum += s.density(lo, m, in, adj, din)
		da.addAll(lo, s.da[:m])
		db.addAll(lo, s.db[:m])
	}
	return sum, true
}

// betaProportionBulk does the same with means and precisions.
func betaProportionBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < manyShapes || !vec.Within(in[0].X, catalogue.LeastNormal, catalogue.BelowOne) {
		return 0, false
	}
	var s betaPiece
	mu, kappa := ColumnOf(in[1]), ColumnOf(in[2])
	for i := range n {
		if m, k := mu.at(i), kappa.at(i); !(min(m, 1-m)*k >= leastShape && max(m, 1-m)*k <= greatestShape/2) {
			return 0, false
		}
	}
	dmu, dkappa := gradientOf(din, in, 1), gradientOf(din, in, 2)
	sum := 0.0
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		for i := range m {
			t, k := mu.at(lo+i), kappa.at(lo+i)
			s.a[i], s.b[i] = t*k, (1-t)*k
		}
		sum += s.density(lo, m, in, adj, din)
		for i := range m {
			t, k, da, db := mu.at(lo+i), kappa.at(lo+i), s.da[i], s.db[i]
			s.da[i], s.db[i] = k*(da-db), float64(t*da)+float64((1-t)*db)
		}
		dmu.addAll(lo, s.da[:m])
		dkappa.addAll(lo, s.db[:m])
	}
	return sum, true
}

// density sums the log density of n variates in[0] from lo on, whose shapes are a and b, and
// multiplies derivatives by adj.
func (s *betaPiece) density(lo, n int, in []catalogue.Tensor, adj float64, din [][]float64) float64 {
	var logs, logs1 [piece]float64
	y := ColumnOf(in[0])
	for i := range n {
		logs[i] = y.at(lo + i)
		logs1[i] = -logs[i]
	}
	vec.Log.Map(logs[:n], logs[:n])
	vec.Log1p.Map(logs1[:n], logs1[:n])
	sum := -s.sum(n, -adj)
	sum += vec.Dot(s.a[:n], logs[:n]) - vec.Sum(logs[:n])
	sum += vec.Dot(s.b[:n], logs1[:n]) - vec.Sum(logs1[:n])
	vec.AddScaled(s.da[:n], adj, logs[:n])
	vec.AddScaled(s.db[:n], adj, logs1[:n])
	if dy := gradientOf(din, in, 0); dy.d != nil {
		for i := range n {
			v := y.at(lo + i)
			dy.add(lo+i, adj*((s.a[i]-1)/v-(s.b[i]-1)/(1-v)))
		}
	}
	return sum
}

// betaBinomialBulk computes the sum for shapes of moderate size: it subtracts log B at the shapes
// from log B at the shapes plus the counts.
func betaBinomialBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < manyShapes || !betaShapesDone(in[2].X) || !betaShapesDone(in[3].X) {
		return 0, false
	}
	k, trials := ColumnOf(in[0]), ColumnOf(in[1])
	sum, ok := LogChooses(n, k, trials)
	if !ok {
		return 0, false
	}
	var s betaPiece
	a, b := ColumnOf(in[2]), ColumnOf(in[3])
	da, db := gradientOf(din, in, 2), gradientOf(din, in, 3)
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		for i := range m {
			seen := k.at(lo + i)
			s.a[i], s.b[i] = a.at(lo+i)+seen, b.at(lo+i)+(trials.at(lo+i)-seen)
		}
		sum += s.sum(m, adj)
		da.addAll(lo, s.da[:m])
		db.addAll(lo, s.db[:m])
	}
	if !vec.Within(in[2].X, 0, manyShape) || !vec.Within(in[3].X, 0, manyShape) {
		return sum - s.alone(n, in, adj, din), true
	}
	alone, times := n, 1.0
	if a.step == 0 && b.step == 0 {
		alone, times = 1, float64(n)
	}
	args := [2]vec.Arg{termArg(in, din, 2), termArg(in, din, 3)}
	t := vec.LbetaTerm.Run(alone, args[:], -adj*times)
	addSingle(in, din, 2, t.D[0])
	addSingle(in, din, 3, t.D[1])
	return sum - float64(times*t.Sum[0]), true
}

// alone is the sum of log B at the shapes of a beta-binomial distribution that are large.
func (s *betaPiece) alone(n int, in []catalogue.Tensor, adj float64, din [][]float64) float64 {
	a, b := ColumnOf(in[2]), ColumnOf(in[3])
	da, db := gradientOf(din, in, 2), gradientOf(din, in, 3)
	sum := 0.0
	for lo := 0; lo < n; lo += piece {
		m := min(piece, n-lo)
		for i := range m {
			s.a[i], s.b[i] = a.at(lo+i), b.at(lo+i)
		}
		sum += s.sumOfLarge(m, -adj)
		da.addAll(lo, s.da[:m])
		db.addAll(lo, s.db[:m])
	}
	return sum
}
