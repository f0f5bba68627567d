// This file holds the scales of independent factors against the curvature of the
// posterior, which knows of the correlations that they leave out.

package vi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

const (
	marginalDim    = 200 // largest dimension for which Hessians are taken
	marginalPoints = 20  // points at which they are taken, at most
	marginalCost   = 500 // coordinates over all points, at most, but for the first point
	marginalError  = 1e-3
)

// understated finds the coordinate whose standard deviation q understates most by the
// curvature of t, averaged over q. The best normal with independent factors has the
// conditional standard deviations of a normal posterior, and importance ratios of draws that
// all lie in the middle of a ridge do not show that it is long; the inverse of the mean
// Hessian does, which for the best normal with correlations is its covariance. It returns nil
// where the curvature is not that of a peak, so that it tells nothing.
func understated(t infer.Target, q *normal.Normal, r *rand.Rand) (*infer.Understatement, error) {
	n, sd := q.Dim(), q.SD()
	precision := mat.NewSymDense(n, nil) // in units of q's standard deviations
	points := max(1, min(marginalPoints, marginalCost/n))
	x := make([]float64, n)
	for range points {
		if copy(x, q.Mean()); points > 1 {
			q.Draw(r, x)
		}
		h, err := optimize.NewHessian(t, x)
		if err != nil && !infer.IsInterrupted(err) || err == nil && h.Error > marginalError {
			return nil, nil // too near the end of the support for differences
		}
		if err != nil {
			return nil, err
		}
		for i := range n {
			for j := range i + 1 {
				precision.SetSym(i, j, precision.At(i, j)-h.At[i*n+j]*sd[i]*sd[j]/float64(points))
			}
		}
	}
	var root mat.Cholesky
	var covariance mat.SymDense
	if !root.Factorize(precision) || root.InverseTo(&covariance) != nil {
		return nil, nil
	}
	worst := &infer.Understatement{}
	for i := range n {
		if ratio := math.Sqrt(covariance.At(i, i)); ratio > worst.Ratio {
			worst.Ratio, worst.Coordinate = ratio, i
		}
	}
	return worst, nil
}
