package divergence_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/seed-12b88e03/ppl/infer/divergence"
)

// all is one divergence of each kind on both sides of 1, and a sum.
func all(t testing.TB) []divergence.Divergence {
	t.Helper()
	var out []divergence.Divergence
	for _, row := range []struct {
		name   string
		params [][]float64
	}{
		{"kl", [][]float64{{1}, {0.5}}},
		{"renyi", [][]float64{{0.5}, {1.2}, {1}}},
		{"alpha", [][]float64{{0.5}, {1.2}}},
		{"beta", [][]float64{{0.8}, {1.5}}},
		{"gamma", [][]float64{{0.8}, {1.5}}},
		{"abr", [][]float64{{0.7, 1.8, 0.3}, {1.2, 1.3, 1}, {0.5, 1.5, 2}, {1.2, 0.8, 1}}},
	} {
		for _, p := range row.params {
			d, err := divergence.New(row.name, p...)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, d)
		}
	}
	return append(out, divergence.Sum(out[0], out[2], out[7]))
}

// member is a member of a family with its density for quadrature.
type member struct {
	name      string
	family    divergence.Family
	q, pi     []float64 // theta
	density   func(theta []float64, x float64) float64
	low, high float64
}

func members() []member {
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	normal := func(th []float64, x float64) float64 {
		z := (x - th[0]) * math.Exp(-th[1])
		return math.Exp(-z*z/2-th[1]) / math.Sqrt(2*math.Pi)
	}
	gamma := func(th []float64, x float64) float64 {
		a, b := math.Exp(th[0]), math.Exp(th[1])
		return math.Exp(a*math.Log(b) - lg(a) + (a-1)*math.Log(x) - b*x)
	}
	return []member{
		{"normal", divergence.Normal{}, []float64{0.3, -0.4}, []float64{-0.2, 0.2}, normal, -30, 30},
		{"lognormal", divergence.Normal{Log: true}, []float64{0.3, -0.7}, []float64{-0.2, -0.2},
			func(th []float64, x float64) float64 { return normal(th, math.Log(x)) / x }, 0, 400},
		// normal-inverse-gamma without normal parts, by s, by its root and by its log
		{"inverse gamma", divergence.NormalInverseGamma{}, []float64{2, 1.5}, []float64{1.8, 1.2},
			func(th []float64, x float64) float64 { return gamma(th, 1/x) / (x * x) }, 0, 400},
		{"root of inverse gamma", divergence.NormalInverseGamma{Factor: 2, Power: 0.5}, []float64{2, 1.5}, []float64{1.8, 1.2},
			func(th []float64, x float64) float64 { return gamma(th, 1/(x*x)) * 2 / (x * x * x) }, 0, 100},
		{"log of inverse gamma", divergence.NormalInverseGamma{Factor: 1, Power: 1}, []float64{2, 1.5}, []float64{1.8, 1.2},
			func(th []float64, x float64) float64 { return gamma(th, math.Exp(-x)) * math.Exp(-x) }, -6, 12},
	}
}

// byQuadrature is the pair of a member by Gauss-Legendre points.
func byQuadrature(m member) *divergence.Sampled {
	const panels, points = 400, 20
	var x, w [points]float64
	s := &divergence.Sampled{}
	var px, pw []float64
	for i := range panels { // panels narrow towards 0
		a, b := float64(i)/panels, float64(i+1)/panels
		if m.low == 0 && m.high > 1 {
			a, b = a*a*a, b*b*b
		}
		a, b = m.low+(m.high-m.low)*a, m.low+(m.high-m.low)*b
		quad.Legendre{}.FixedLocations(x[:], w[:], a, b)
		px, pw = append(px, x[:]...), append(pw, w[:]...)
	}
	for k := range px {
		q, pi := m.density(m.q, px[k]), m.density(m.pi, px[k])
		s.Weights, s.LogQ, s.LogPi = append(s.Weights, pw[k]*q), append(s.LogQ, math.Log(q)), append(s.LogPi, math.Log(pi))
	}
	s.Prior = func(b float64) float64 {
		var sum float64
		for k := range px {
			sum += pw[k] * math.Pow(m.density(m.pi, px[k]), b)
		}
		return math.Log(sum)
	}
	return s
}

// Closed forms against quadrature of the densities.
func TestClosedForms(t *testing.T) {
	for _, m := range members() {
		e := divergence.NewExponential(m.family, m.pi)
		e.Move(m.q)
		s := byQuadrature(m)
		for _, d := range all(t) {
			if got, want := d.Value(e), d.Value(s); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("%s, %s: %.10g, quadrature %.10g", m.name, d, got, want)
			}
		}
	}
}

// checkGradient compares with central differences.
func checkGradient(t *testing.T, what string, theta []float64, at func(theta, grad []float64) float64) {
	t.Helper()
	grad, none := make([]float64, len(theta)), make([]float64, len(theta))
	at(theta, grad)
	const h = 1e-5
	for i, x := range theta {
		theta[i] = x + h
		up := at(theta, none)
		theta[i] = x - h
		down := at(theta, none)
		theta[i] = x
		if diff := (up - down) / (2 * h); math.Abs(diff-grad[i]) > 1e-6*(1+math.Abs(diff)) {
			t.Errorf("%s: derivative %d is %.9g, by differences %.9g", what, i, grad[i], diff)
		}
	}
}

func TestExponentialGradients(t *testing.T) {
	nig := func(power float64) member {
		return member{name: fmt.Sprintf("normal inverse gamma, power %g", power), family: divergence.NormalInverseGamma{K: 2, Power: power, Factor: 1 + 2*power},
			q:  []float64{2.5, 2.2, 0.3, -0.4, -0.3, 0.4},
			pi: []float64{2.3, 2.1, 0.1, 0.2, 0.1, 0.5}}
	}
	for _, m := range append(members(), nig(0), nig(0.5), nig(1)) {
		e := divergence.NewExponential(m.family, m.pi)
		for _, d := range all(t) {
			checkGradient(t, m.name+", "+d.String(), m.q, func(theta, grad []float64) float64 {
				e.Move(theta)
				return d.Gradient(e, grad)
			})
		}
	}
}

func TestGaussianGradients(t *testing.T) {
	g, err := divergence.NewGaussian([]float64{0.2, -0.1}, mat.NewSymDense(2, []float64{1.5, 0.4, 0.4, 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all(t) {
		// mean, then V by its lower triangle
		checkGradient(t, "gaussian, "+d.String(), []float64{0.5, 0.3, 0.9, 0.2, 0.7}, func(p, grad []float64) float64 {
			if err := g.Move(p[:2], []float64{p[2], p[3], p[3], p[4]}); err != nil {
				t.Fatal(err)
			}
			full := make([]float64, 6)
			v := d.Gradient(g, full)
			for i, x := range []float64{full[0], full[1], full[2], full[3] + full[4], full[5]} {
				grad[i] += x
			}
			return v
		})
	}
}

func TestSampledGradients(t *testing.T) {
	w := []float64{0.2, 0.5, 0.3}
	for _, d := range all(t) {
		checkGradient(t, "sampled, "+d.String(), []float64{-1, -0.5, -2, -1.5, -1, -0.8}, func(p, grad []float64) float64 {
			s := &divergence.Sampled{Weights: w, LogQ: p[:3], LogPi: p[3:], Prior: func(b float64) float64 { return -b }}
			return d.Gradient(s, grad)
		})
	}
}

// A product of two pairs has the divergence of the joint densities.
func TestProduct(t *testing.T) {
	m := members()[0]
	a, b := divergence.NewExponential(m.family, m.pi), divergence.NewExponential(m.family, []float64{0, 0})
	a.Move(m.q)
	b.Move([]float64{0.5, -0.2})
	sq := func(x float64) float64 { return math.Exp(2 * x) }
	g, err := divergence.NewGaussian([]float64{m.pi[0], 0}, mat.NewSymDense(2, []float64{sq(m.pi[1]), 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Move([]float64{m.q[0], 0.5}, []float64{sq(m.q[1]), 0, 0, sq(-0.2)}); err != nil {
		t.Fatal(err)
	}
	p := divergence.Product{Parts: []divergence.Pair{a, b}, Params: []int{2, 2}}
	for _, d := range all(t) {
		if x, y := d.Value(p), d.Value(g); math.Abs(x-y) > 1e-12*(1+math.Abs(y)) {
			t.Errorf("%s: product %.15g, jointly %.15g", d, x, y)
		}
		grad, joint := make([]float64, 4), make([]float64, 6)
		d.Gradient(p, grad)
		d.Gradient(g, joint)
		want := []float64{joint[0], 2 * joint[2] * sq(m.q[1]), joint[1], 2 * joint[5] * sq(-0.2)}
		for i := range grad {
			if math.Abs(grad[i]-want[i]) > 1e-11*(1+math.Abs(want[i])) {
				t.Errorf("%s: derivative %d of the product is %.12g, jointly %.12g", d, i, grad[i], want[i])
			}
		}
	}
}

func TestWrongUses(t *testing.T) {
	for _, c := range []struct {
		name   string
		params []float64
	}{{"jeffreys", nil}, {"kl", nil}, {"kl", []float64{0}}, {"renyi", []float64{-1}}, {"beta", []float64{math.NaN()}},
		{"gamma", []float64{1, 2}}, {"abr", []float64{0.5, 1, 1}}, {"abr", []float64{0.5, 0.5, 1}}, {"abr", []float64{0.5, 0.6, 0.7}}, {"abr", []float64{0.2, 0.5, 1}}} {
		if _, err := divergence.New(c.name, c.params...); err == nil {
			t.Errorf("%s%v: no error", c.name, c.params)
		}
	}
}

// Within their orders divergences are not negative, and 0 where q is pi: normals near and
// far apart, narrow and wide. Infinite is allowed.
func TestNotNegative(t *testing.T) {
	orders := []float64{0.1, 0.3, 0.5, 0.9, 1.1, 1.5, 2, 3}
	var all []divergence.Divergence
	add := func(name string, params ...float64) {
		if d, err := divergence.New(name, params...); err == nil {
			all = append(all, d)
		}
	}
	for _, a := range orders {
		for _, name := range []string{"renyi", "alpha", "beta", "gamma"} {
			add(name, a)
		}
		for _, b := range orders {
			for _, r := range []float64{0.2, 0.7, 1, 2, 3} {
				add("abr", a, b, r)
			}
		}
	}
	e := divergence.NewExponential(divergence.Normal{}, []float64{0, 0})
	for _, d := range all {
		e.Move([]float64{0, 0})
		if v := d.Value(e); math.Abs(v) > 1e-12 {
			t.Errorf("%s of a density from itself: %g", d, v)
		}
		for _, mean := range []float64{0, 0.1, 1, 5, 30} {
			for _, logSD := range []float64{-12, -3, -1, -0.1, 0, 0.1, 1, 3} {
				e.Move([]float64{mean, logSD})
				if v := d.Value(e); !(v > -1e-12) {
					t.Errorf("%s at mean %g, sd exp(%g): %g", d, mean, logSD, v)
				}
			}
		}
	}
}
