// The joint density of discrete and other parameters taken apart, and draws from its
// prior.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

func TestJointParts(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; }
parameters { real mu; array[N] int<lower=1, upper=2> z; int<lower=0, upper=3> w; }
model {
  mu ~ normal(0, 2);
  for (n in 1:N) {
    z[n] ~ categorical([0.3, 0.7]');
    y[n] ~ normal(mu * z[n], 1);
  }
}`, `{"N": 2, "y": [1, 2]}`)
	j := m.Joint()
	e := j.NewEvaluator().(infer.Tempered)
	logNormal := func(x, m, s float64) float64 {
		return -0.5*(x-m)*(x-m)/s/s - math.Log(s) - 0.5*math.Log(2*math.Pi)
	}
	q := []float64{0.7, 1, 2, 3}
	grad := make([]float64, 4)
	p, l, err := e.LogDensityPartsGrad(q, 0.25, grad)
	if err != nil {
		t.Fatal(err)
	}
	wantPrior := logNormal(0.7, 0, 2) + math.Log(0.3) + math.Log(0.7) - math.Log(4)
	wantLik := logNormal(1, 0.7, 1) + logNormal(2, 1.4, 1)
	if math.Abs(p-wantPrior) > 1e-13 || math.Abs(l-wantLik) > 1e-13 {
		t.Errorf("prior %v and likelihood %v, want %v and %v", p, l, wantPrior, wantLik)
	}
	want := -0.7/4 + 0.25*(0.3+2*0.6)
	if math.Abs(grad[0]-want) > 1e-13 || grad[1] != 0 {
		t.Errorf("gradient %v, want %v", grad, want)
	}
	r := stream(2)
	var w, z []float64
	for range 3000 {
		if err := e.(infer.PriorSampler).DrawPrior(r, q); err != nil {
			t.Fatal(err)
		}
		z, w = append(z, q[1]), append(w, q[3])
	}
	checkMean(t, "z[1]", z, 1.7, 0.21)
	checkMean(t, "w", w, 1.5, 1.25)
	y, err := j.(infer.Simulator).DrawJoint(r, q)
	if err != nil {
		t.Fatal(err)
	}
	other, err := j.(infer.Simulator).Rebound(y)
	if err != nil {
		t.Fatal(err)
	}
	lp, err := other.NewEvaluator().LogDensity(q)
	if err != nil {
		t.Fatal(err)
	}
	x := y.Numbers()
	wantJoint := logNormal(x[0], q[0]*q[1], 1) + logNormal(x[1], q[0]*q[2], 1) + logNormal(q[0], 0, 2)
	for _, v := range q[1:3] {
		wantJoint += math.Log([]float64{0.3, 0.7}[int(v)-1])
	}
	if math.Abs(lp-wantJoint) > 1e-12 {
		t.Errorf("the rebound joint density is %v, want %v", lp, wantJoint)
	}
}
