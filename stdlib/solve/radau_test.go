// The reference solver of the tests: collocation at the Radau points with five stages,
// order 9 (Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8),
// the stage equations solved by full Newton iteration, the step size by comparing one
// step with two halves. It shares no code with the solvers under test.

package solve

import (
	"math"
	"testing"
)

// radauNodes are the s Radau points in (0, 1]: the roots of P_s - P_(s-1), shifted
// Legendre polynomials, by bisection; the last one is 1.
func radauNodes(s int) []float64 {
	legendre := func(n int, x float64) float64 {
		a, b := 1.0, x
		if n == 0 {
			return a
		}
		for k := 2; k <= n; k++ {
			a, b = b, (float64(2*k-1)*x*b-float64(k-1)*a)/float64(k)
		}
		return b
	}
	f := func(c float64) float64 { return legendre(s, 2*c-1) - legendre(s-1, 2*c-1) }
	var nodes []float64
	const grid = 1000
	for i := range grid - 1 {
		a, b := float64(i)/grid, float64(i+1)/grid
		if f(a) == 0 || f(a)*f(b) < 0 {
			for range 80 {
				if m := (a + b) / 2; f(a)*f(m) <= 0 {
					b = m
				} else {
					a = m
				}
			}
			nodes = append(nodes, (a+b)/2)
		}
	}
	return append(nodes, 1)
}

// collocation returns the matrix of the integrals of the Lagrange polynomials from 0 to
// each node.
func collocation(c []float64) [][]float64 {
	s := len(c)
	a := make([][]float64, s)
	for i := range a {
		a[i] = make([]float64, s)
	}
	for j := range s {
		p := []float64{1} // Lagrange polynomial of node j
		for k := range s {
			if k == j {
				continue
			}
			q := make([]float64, len(p)+1)
			for i, v := range p {
				q[i+1] += v / (c[j] - c[k])
				q[i] -= v * c[k] / (c[j] - c[k])
			}
			p = q
		}
		for i := range s {
			for k, v := range p {
				a[i][j] += v * math.Pow(c[i], float64(k+1)) / float64(k+1)
			}
		}
	}
	return a
}

// A radau solves dy/dt = f with the Jacobian jac (row-major).
type radau struct {
	n    int
	f    func(t float64, y []float64) []float64
	jac  func(t float64, y []float64) []float64
	c    []float64
	a    [][]float64
	tol  float64
	t, h float64
	y    []float64
}

func newRadau(t float64, y []float64, tol float64, f, jac func(float64, []float64) []float64) *radau {
	r := &radau{n: len(y), f: f, jac: jac, tol: tol, t: t, h: 1e-6, y: append([]float64(nil), y...)}
	r.c = radauNodes(5)
	r.a = collocation(r.c)
	return r
}

// single makes one step from y; nil where Newton does not converge.
func (r *radau) single(t, h float64, y []float64) []float64 {
	s, n := len(r.c), r.n
	k := make([]float64, s*n)
	f0 := r.f(t, y)
	for i := range s {
		copy(k[i*n:], f0)
	}
	stage := func(i int) []float64 {
		z := append([]float64(nil), y...)
		for j := range s {
			for m := range n {
				z[m] += h * r.a[i][j] * k[j*n+m]
			}
		}
		return z
	}
	lu := newFactors(s * n)
	last := math.Inf(1)
	for range 30 {
		res := make([]float64, s*n)
		clear(lu.a)
		for i := range s {
			z := stage(i)
			f, jac := r.f(t+r.c[i]*h, z), r.jac(t+r.c[i]*h, z)
			for m := range n {
				res[i*n+m] = f[m] - k[i*n+m]
				for j := range s {
					for l := range n {
						lu.a[(i*n+m)*s*n+j*n+l] = -h * r.a[i][j] * jac[m*n+l]
					}
				}
				lu.a[(i*n+m)*s*n+i*n+m]++
			}
		}
		if !lu.factor() {
			return nil
		}
		lu.solve(res, 1)
		size := 0.0
		for i, d := range res {
			k[i] += d
			size = math.Max(size, math.Abs(d)*h/(math.Abs(y[i%n])+1e-10))
		}
		if size < 1e-14 || size < 1e-10 && size > last/2 {
			return stage(s - 1)
		}
		last = size
	}
	return nil
}

// to integrates to the time end.
func (r *radau) to(t *testing.T, end float64) []float64 {
	for r.t < end {
		h := math.Min(r.h, end-r.t)
		one, half := r.single(r.t, h, r.y), r.single(r.t, h/2, r.y)
		if half != nil {
			half = r.single(r.t+h/2, h/2, half)
		}
		size := math.Inf(1)
		if one != nil && half != nil {
			size = 0
			for i := range one {
				size = math.Max(size, math.Abs(one[i]-half[i])/(r.tol*(math.Abs(half[i])+1e-9)))
			}
		}
		if size > 1 {
			if r.h = h / 2; r.h < 1e-14*(1+r.t) {
				t.Fatalf("the reference solver is stuck at time %g", r.t)
			}
			continue
		}
		if r.t += h; h == end-(r.t-h) {
			r.t = end
		}
		r.y = half
		r.h = math.Max(r.h, h*math.Min(3, 0.8*math.Pow(size+1e-9, -1./10)))
	}
	return append([]float64(nil), r.y...)
}
