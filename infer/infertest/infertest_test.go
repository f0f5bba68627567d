package infertest

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

func all() []Case { return append(Cases(), Correlated(-0.5), Banana(2)) }

// Gradients against central differences.
func TestGradients(t *testing.T) {
	r := rng.New(1, "gradient", 0, 0)
	for _, c := range all() {
		ev := c.Model.NewEvaluator()
		q, grad := make([]float64, ev.Dim()), make([]float64, ev.Dim())
		for range 10 {
			c.Draw(r, q)
			if _, err := ev.LogDensityGrad(q, grad); err != nil {
				t.Fatal(err)
			}
			for i := range q {
				at, h := q[i], 1e-5*c.SD[i]
				q[i] = at + h
				up, _ := ev.LogDensity(q)
				q[i] = at - h
				down, _ := ev.LogDensity(q)
				q[i] = at
				if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-5*(1/c.SD[i]+math.Abs(d)) {
					t.Errorf("%s: gradient %d at %v is %g, differences give %g", c.Name, i, q, grad[i], d)
				}
			}
		}
	}
}

// Exact draws against the stated moments: about 150 comparisons at 5 standard
// errors, a false alarm in about 10,000 seeds.
func TestDraws(t *testing.T) {
	const n = 100000
	r := rng.New(2, "draws", 0, 0)
	for _, c := range all() {
		q := make([]float64, c.Model.Dim())
		sum, square, fourth := make([]float64, len(q)), make([]float64, len(q)), make([]float64, len(q))
		for range n {
			c.Draw(r, q)
			for i, x := range q {
				d := x - c.Mean[i]
				sum[i] += d / n
				square[i] += d * d / n
				fourth[i] += d * d * d * d / n
			}
		}
		for i := range q {
			v := c.SD[i] * c.SD[i]
			if math.Abs(sum[i]) > 5*c.SD[i]/math.Sqrt(n) || math.Abs(square[i]-v) > 5*math.Sqrt((fourth[i]-v*v)/n) {
				t.Errorf("%s: coordinate %d has mean off by %.3g sd and variance %.4f of the stated", c.Name, i, sum[i]/c.SD[i], square[i]/v)
			}
		}
	}
}
