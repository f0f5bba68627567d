package gibbsprior

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
)

// theta ~ N(0, S) with variances 1 and correlation -0.6, y ~ N(theta, I). The answer has the posterior's mean, its variances, and its
// covariance times a share; the exact ones are 0.4505 and -0.1648, those of S/(S + I). Without it the covariance of the chain's law is that
// of G = A G A' + A A' + diag(0.4505): 0.9571 and -0.3776, 0.039 nats from the prior, and means and spreads hardly tell.
func TestCorrelationIsJudged(t *testing.T) {
	const rho, v, c = -0.6, 0.4505494505494505, -0.1648351648351648 // prior correlation; posterior variance and covariance
	root := math.Sqrt(1 - rho*rho)
	model := &toy{Model: flat(2), y: []float64{0, 0},
		prior: func(r *rand.Rand, q []float64) {
			q[0] = r.NormFloat64()
			q[1] = rho*q[0] + root*r.NormFloat64()
		},
		data: func(r *rand.Rand, q []float64) []float64 {
			return []float64{q[0] + r.NormFloat64(), q[1] + r.NormFloat64()}
		}}
	for share, want := range map[float64]struct {
		severity diagnose.Severity
		gibbs    float64 // correlation
	}{1: {diagnose.Good, rho}, 0: {diagnose.Bad, -0.3776033490319205 / 0.9570905285191}} {
		o := DefaultOptions(answer{"normal", func(r *rand.Rand, y, q []float64) {
			a, b := r.NormFloat64(), r.NormFloat64()
			l := share * c / math.Sqrt(v)
			q[0] = v*y[0] + c*y[1] + math.Sqrt(v)*a
			q[1] = c*y[0] + v*y[1] + l*a + math.Sqrt(v-l*l)*b
		}})
		d, err := NewDiagnosis(o)
		if err != nil {
			t.Fatal(err)
		}
		verdict, err := d.Diagnose(context.Background(), model, infer.Options{Seed: 3, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		p := verdict.Figures.(*Figures).Dependences[0]
		t.Logf("%g of the covariance: %s (%s); correlation %.3f, exactly %.3f; of the prior %.3f; p %.2g", share, verdict.Severity, verdict.Summary, float64(p.Gibbs), want.gibbs, float64(p.Prior), float64(p.P))
		if verdict.Severity != want.severity {
			t.Errorf("%g of the covariance: %s: %s", share, verdict.Severity, verdict.Summary)
		}
		// The sd of a correlation over 3,600 draws is (1 - rho^2)/60, that of the chains' about half as much again.
		if math.Abs(float64(p.Gibbs)-want.gibbs) > 4*0.02 || math.Abs(float64(p.Prior)-rho) > 4*0.011 {
			t.Errorf("correlation %.3f, exactly %.3f; of the prior %.3f", float64(p.Gibbs), want.gibbs, float64(p.Prior))
		}
	}
}

// Of eleven independent lists and two that are equal, the pair of the latter is the first of 45.
func TestDependent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	z := make([][]float64, 12)
	for k := range z {
		for range 200 {
			z[k] = append(z[k], r.NormFloat64())
		}
	}
	z[7] = z[4]
	if pairs := dependent(z); len(pairs) != mostDependences || pairs[0] != [2]int{4, 7} {
		t.Errorf("%d pairs, the first %v", len(pairs), pairs[0])
	}
	if pairs := dependent(z[:3]); len(pairs) != 3 {
		t.Errorf("%v", pairs)
	}
}
