// The Laplace approximation: exact for normal likelihoods, against one-dimensional
// closed forms for others, derivatives against differences.

package solve

import (
	"math"
	"math/rand/v2"
	"testing"
)

// likelihood is a log likelihood with its gradient by hand.
type likelihood func(theta, grad []float64) float64

func (l likelihood) Gradient(theta, grad []float64) (float64, error) { return l(theta, grad), nil }

// normalLikelihood observes y with standard deviation exp(eta).
func normalLikelihood(y []float64, eta float64) likelihood {
	return func(theta, grad []float64) float64 {
		n, sum, s2 := len(y), 0.0, math.Exp(2*eta)
		grad[n] = -float64(n)
		for i, v := range y {
			d := v - theta[i]
			sum -= d*d/(2*s2) + eta + 0.5*math.Log(2*math.Pi)
			grad[i] = d / s2
			grad[n] += d * d / s2
		}
		return sum
	}
}

// poissonLikelihood has counts with log rates eta + theta; pairs of neighbours also
// share a term, so that W has blocks of 2.
func poissonLikelihood(y []float64, eta float64) likelihood {
	return func(theta, grad []float64) float64 {
		n, sum := len(y), 0.0
		clear(grad)
		add := func(y, rate float64, parts ...int) {
			sum += y*rate - math.Exp(rate)
			for _, i := range parts {
				grad[i] += y - math.Exp(rate)
			}
			grad[n] += y - math.Exp(rate)
		}
		for i, v := range y {
			add(v, eta+theta[i], i)
		}
		for i := 0; i+1 < n; i += 2 {
			add(2, eta+theta[i]+theta[i+1], i, i+1)
		}
		return sum
	}
}

// exponentialKernel is a covariance of n points on a line.
func exponentialKernel(n int, scale, length float64) []float64 {
	k := make([]float64, n*n)
	for i := range n {
		for j := range n {
			k[i*n+j] = scale * scale * math.Exp(-math.Abs(float64(i-j))/length)
		}
	}
	return k
}

var control = LaplaceControl{Tol: 1e-8, MaxSteps: 100, BlockSize: 1, Halvings: 100}

// normalMarginal is the log density of y under a normal distribution with covariance k.
func normalMarginal(y, k []float64) float64 {
	n := len(y)
	lu := newFactors(n)
	copy(lu.a, k)
	lu.factor()
	logDet := 0.0
	for i := range n {
		logDet += math.Log(math.Abs(lu.a[i*n+i]))
	}
	x := append([]float64(nil), y...)
	lu.solve(x, 1)
	return -0.5*dotProduct(x, y) - 0.5*logDet - 0.5*float64(n)*math.Log(2*math.Pi)
}

func TestLaplaceNormal(t *testing.T) {
	y := []float64{0.3, -1.2, 2, 0.1, 0.7}
	n := len(y)
	for _, eta := range []float64{-3, 0.2} {
		k := exponentialKernel(n, 1.3, 2)
		p := NewLaplace(normalLikelihood(y, eta), n, 1, control)
		got, err := p.Solve(make([]float64, n), k)
		if err != nil {
			t.Fatal(err)
		}
		marginal := append([]float64(nil), k...)
		for i := range n {
			marginal[i*n+i] += math.Exp(2 * eta)
		}
		if want := normalMarginal(y, marginal); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("log marginal %v, want %v", got, want)
		}
	}
}

// TestLaplacePoisson compares one count with the textbook formula.
func TestLaplacePoisson(t *testing.T) {
	const y, k = 3.0, 2.0
	p := NewLaplace(poissonLikelihood([]float64{y}, 0), 1, 1, control)
	got, err := p.Solve([]float64{0}, []float64{k})
	if err != nil {
		t.Fatal(err)
	}
	mode := 0.0
	for range 100 {
		mode -= (y - math.Exp(mode) - mode/k) / (-math.Exp(mode) - 1/k)
	}
	want := y*mode - math.Exp(mode) - mode*mode/(2*k) - 0.5*math.Log(1+k*math.Exp(mode))
	if math.Abs(got-want) > 1e-10 {
		t.Errorf("log marginal %v, want %v", got, want)
	}
}

func TestLaplaceDerivatives(t *testing.T) {
	y := []float64{3, 0, 7, 1, 2}
	n := len(y)
	for _, block := range []int{2, 5} {
		c := control
		c.BlockSize = block
		value := func(scale, length, eta float64) (*Laplace, float64) {
			p := NewLaplace(poissonLikelihood(y, eta), n, 1, c)
			v, err := p.Solve(make([]float64, n), exponentialKernel(n, scale, length))
			if err != nil {
				t.Fatal(err)
			}
			return p, v
		}
		p, _ := value(0.8, 1.5, 0.1)
		dk, deta := make([]float64, n*n), make([]float64, 1)
		if err := p.Derivatives(dk, deta); err != nil {
			t.Fatal(err)
		}
		difference := func(f func(x float64) float64) float64 {
			const h = 1e-3
			return (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
		}
		viaK := func(move func(x float64) []float64) float64 {
			sum := 0.0
			const h = 1e-4
			up, down := move(h), move(-h)
			for i, d := range dk {
				sum += d * (up[i] - down[i]) / (2 * h)
			}
			return sum
		}
		for _, d := range []struct {
			name      string
			got, want float64
		}{
			{"scale", viaK(func(x float64) []float64 { return exponentialKernel(n, 0.8+x, 1.5) }),
				difference(func(x float64) float64 { _, v := value(0.8+x, 1.5, 0.1); return v })},
			{"length", viaK(func(x float64) []float64 { return exponentialKernel(n, 0.8, 1.5+x) }),
				difference(func(x float64) float64 { _, v := value(0.8, 1.5+x, 0.1); return v })},
			{"eta", deta[0], difference(func(x float64) float64 { _, v := value(0.8, 1.5, 0.1+x); return v })},
		} {
			if math.Abs(d.got-d.want) > 2e-8*(1+math.Abs(d.want)) {
				t.Errorf("blocks of %d: derivative with respect to %s is %v, differences %v", block, d.name, d.got, d.want)
			}
		}
	}
}

// TestLaplaceDraws compares means and covariances of draws with the posterior of a
// normal model. With 20000 draws the standardised deviations exceed 5 by chance with a
// probability below 2e-5.
func TestLaplaceDraws(t *testing.T) {
	y := []float64{0.3, -1.2, 2}
	const n, draws = 3, 20000
	k := exponentialKernel(n, 1, 2)
	p := NewLaplace(normalLikelihood(y, 0), n, 1, control)
	if _, err := p.Solve(make([]float64, n), k); err != nil {
		t.Fatal(err)
	}
	// the posterior covariance is (K^-1 + I)^-1 = I - (I + K)^-1, the mean its product with y
	lu, cov := newFactors(n), make([]float64, n*n)
	copy(lu.a, k)
	for i := range n {
		lu.a[i*n+i]++
		cov[i*n+i] = 1
	}
	lu.factor()
	lu.solve(cov, n)
	for i := range cov {
		cov[i] = -cov[i]
	}
	for i := range n {
		cov[i*n+i]++
	}
	r := rand.New(rand.NewChaCha8([32]byte{5}))
	var sum [n]float64
	var products [n * n]float64
	x := make([]float64, n)
	for range draws {
		if err := p.Draw(r, x); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			mean := dotProduct(cov[i*n:(i+1)*n], y)
			x[i] -= mean
			sum[i] += x[i]
		}
		for i := range products {
			products[i] += x[i/n] * x[i%n]
		}
	}
	for i := range n {
		if z := sum[i] / math.Sqrt(draws*cov[i*n+i]); math.Abs(z) > 5 {
			t.Errorf("the mean of variable %d is off by %.1f standard errors", i, z)
		}
	}
	for i, s := range products {
		a, b := i/n, i%n
		se := math.Sqrt((cov[a*n+a]*cov[b*n+b] + cov[i]*cov[i]) / draws)
		if z := (s/draws - cov[i]) / se; math.Abs(z) > 5 {
			t.Errorf("covariance (%d, %d) is off by %.1f standard errors", a, b, z)
		}
	}
}
