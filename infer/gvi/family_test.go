package gvi

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func start() *normal.Normal {
	return normal.NewLower([]float64{1, -2, 0.5}, []float64{2, 0, 0, -0.5, 0.3, 0, 1, 0.7, 1.5})
}

// Densities, moments and gradients of each family against the normal that it says
// it is and against differences, at its origin and elsewhere.
func TestFamilies(t *testing.T) {
	r := rng.New(1, "family test", 0, 0)
	for _, name := range []string{MeanField, FullRank, LowRank} {
		f := newFamily(name, start(), 2)
		p := make([]float64, f.params())
		f.origin(p)
		for step := range 3 {
			if step == 2 {
				f.narrow(p)
			}
			f.set(p)
			n := f.normal()
			e, x := make([]float64, f.noise()), make([]float64, 3)
			for i := range e {
				e[i] = r.NormFloat64()
			}
			f.place(e, x)
			if lq, want := f.logDensity(e), n.LogDensity(x); math.Abs(lq-want) > 1e-9 {
				t.Errorf("%s: log q %.10g, the normal has %.10g", name, lq, want)
			}
			m, v, want := make([]float64, 3), make([]float64, 9), make([]float64, 9)
			f.moments(m, v)
			n.Covariance(want)
			for i := range v {
				if math.Abs(v[i]-want[i]) > 1e-9 || math.Abs(m[i%3]-n.Mean()[i%3]) > 1e-12 {
					t.Errorf("%s: moments %v, %v; the normal's %v, %v", name, m, v, n.Mean(), want)
					break
				}
			}
			checkPull(t, f, p, e)
			for i := range p {
				p[i] += 0.3 * r.NormFloat64()
			}
		}
	}
}

// checkPull compares pull and pullMoments with differences of arbitrary
// functions.
func checkPull(t *testing.T, f gaussian, p, e []float64) {
	t.Helper()
	gx, gl := []float64{0.3, -1, 0.7}, 0.4
	gm, gv := []float64{0.2, 0.5, -0.3}, []float64{0.3, 0.1, -0.2, 0.1, 0.5, 0.4, -0.2, 0.4, -0.6}
	x, m, v := make([]float64, 3), make([]float64, 3), make([]float64, 9)
	value := func() (point, moment float64) {
		f.set(p)
		f.place(e, x)
		f.moments(m, v)
		point = gl * f.logDensity(e)
		for i := range x {
			point += gx[i] * x[i]
			moment += gm[i] * m[i]
		}
		for i := range v {
			moment += gv[i] * v[i]
		}
		return point, moment
	}
	f.set(p)
	byPoint, byMoment := make([]float64, len(p)), make([]float64, len(p))
	f.pull(e, gx, gl, byPoint)
	f.pullMoments(gm, gv, byMoment)
	const h = 1e-6
	for i, at := range p {
		p[i] = at + h
		p1, m1 := value()
		p[i] = at - h
		p0, m0 := value()
		p[i] = at
		for _, c := range [][2]float64{{byPoint[i], (p1 - p0) / (2 * h)}, {byMoment[i], (m1 - m0) / (2 * h)}} {
			if math.Abs(c[0]-c[1]) > 1e-6*(1+math.Abs(c[1])) {
				t.Errorf("%T: derivative %d is %.8g, by differences %.8g", f, i, c[0], c[1])
			}
		}
	}
	f.set(p)
}

// The nodes integrate what they promise: polynomials, and second moments.
func TestNodes(t *testing.T) {
	for _, n := range []*nodes{quadrature(1), quadrature(2), sample(rng.New(1, "nodes", 0, 0), 5, 20)} {
		d := len(n.e[0])
		for i := range d {
			for j := range d {
				var second, fourth float64
				for k, e := range n.e {
					second += n.w[k] * e[i] * e[j]
					fourth += n.w[k] * e[i] * e[i] * e[j] * e[j]
				}
				want, want4 := 0.0, 1.0
				if i == j {
					want, want4 = 1, 3
				}
				if math.Abs(second-want) > 1e-10 || n.exact && math.Abs(fourth-want4) > 1e-9 {
					t.Errorf("%d dimensions: moments %g, %g at %d, %d", d, second, fourth, i, j)
				}
			}
		}
	}
	if c := quadrature(2).selfCorrection(1.5); math.Abs(c) > 1e-9 {
		t.Errorf("correction %g of quadrature", c)
	}
}

// The gradient of the normal-inverse-gamma density, and draws with its moments:
// within 5 standard errors of 20000 draws, a false alarm in about 300,000 seeds.
func TestNormalInverseGamma(t *testing.T) {
	n := &NormalInverseGamma{A: 6, B: 4, Mean: []float64{1, -2}, V: []float64{0.5, 3}, At: 1, Power: 2}
	q, grad := []float64{0.7, -0.1, -1.5}, make([]float64, 3)
	n.LogDensityGrad(q, grad)
	for i, x := range q {
		q[i] = x + 1e-6
		up := n.LogDensity(q)
		q[i] = x - 1e-6
		down := n.LogDensity(q)
		q[i] = x
		if d := (up - down) / 2e-6; math.Abs(d-grad[i]) > 1e-6 {
			t.Errorf("derivative %d is %g, by differences %g", i, grad[i], d)
		}
	}
	r := rng.New(3, "nig", 0, 0)
	const draws = 20000
	var s, m float64
	for range draws {
		n.Draw(r, q)
		s += math.Exp(2*q[1]) / draws
		m += q[2] / draws
	}
	if math.Abs(s-0.8) > 5*0.4/math.Sqrt(draws) || math.Abs(m+2) > 5*math.Sqrt(2.4/draws) {
		t.Errorf("means %g and %g, exactly 0.8 and -2", s, m)
	}
}
