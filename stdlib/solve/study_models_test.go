// Problems for the comparison of the solvers with Stan's: equations, and random cases of them.

package solve

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
)

// A problem is an initial value problem whose right-hand side takes complex numbers, so that
// derivatives are imaginary parts, exact to rounding (W. Squire and G. Trapp, SIAM Review 40, 1998).
type problem struct {
	name  string
	f     func(t float64, y, p, dy []complex128)
	y0, p []float64 // the middle of the random cases
	end   float64
	stiff bool
}

// The problems; testdata/stan/cases.cpp has the same ones, in the same order.
var problems = []*problem{
	{"Lotka-Volterra", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = (p[0]-p[1]*y[1])*y[0], (p[3]*y[0]-p[2])*y[1]
	}, []float64{30, 4}, []float64{0.55, 0.028, 0.84, 0.026}, 20, false},
	{"SIR", func(_ float64, y, p, dy []complex128) {
		i := p[0] * y[0] * y[1] / 763
		dy[0], dy[1], dy[2] = -i, i-p[1]*y[1], p[1]*y[1]
	}, []float64{762, 1, 0.1}, []float64{1.7, 0.5}, 14, false},
	{"absorption", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = -p[0]*y[0], p[0]*y[0]-p[1]*y[1]
	}, []float64{100, 0.5}, []float64{1.2, 0.15}, 24, false},
	{"Michaelis-Menten", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = -p[0]*y[0], p[0]*y[0]-p[1]*y[1]/(p[2]+y[1])
	}, []float64{10, 1}, []float64{0.8, 1.5, 2}, 15, false},
	{"FitzHugh-Nagumo", func(_ float64, y, p, dy []complex128) {
		dy[0] = p[2] * (y[0] - y[0]*y[0]*y[0]/3 + y[1])
		dy[1] = -(y[0] - p[0] + p[1]*y[1]) / p[2]
	}, []float64{-1, 1}, []float64{0.2, 0.2, 3}, 20, false},
	{"logistic", func(_ float64, y, p, dy []complex128) {
		dy[0] = p[0] * y[0] * (1 - y[0]/p[1])
	}, []float64{0.5}, []float64{0.9, 50}, 12, false},
	{"oscillator", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = y[1], -p[0]*y[0]-p[1]*y[1]
	}, []float64{1, 0.2}, []float64{4, 0.15}, 10, false},
	{"pendulum", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = y[1], -p[0]*cmplx.Sin(y[0])-p[1]*y[1]
	}, []float64{1.5, 0.3}, []float64{5, 0.1}, 10, false},
	{"SEIR", func(_ float64, y, p, dy []complex128) {
		i := p[0] * y[0] * y[2]
		dy[0], dy[1], dy[2], dy[3] = -i, i-p[1]*y[1], p[1]*y[1]-p[2]*y[2], p[2]*y[2]
	}, []float64{0.97, 0.01, 0.02, 0.001}, []float64{1.2, 0.4, 0.25}, 40, false},
	{"Goodwin", func(_ float64, y, p, dy []complex128) {
		c := y[2] * y[2]
		dy[0], dy[1], dy[2] = p[0]/(1+c*c)-p[1]*y[0], y[0]-p[1]*y[1], y[1]-p[2]*y[2]
	}, []float64{0.3, 0.5, 0.8}, []float64{2, 0.4, 0.5}, 20, false},
	{"forced", func(t float64, y, p, dy []complex128) {
		dy[0] = -p[0] * (y[0] - cmplx.Sin(p[1]*complex(t, 0)))
	}, []float64{0.7}, []float64{3, 1.3}, 12, false},
	{"Brusselator", func(_ float64, y, p, dy []complex128) {
		u := y[0] * y[0] * y[1]
		dy[0], dy[1] = p[0]+u-(p[1]+1)*y[0], p[1]*y[0]-u
	}, []float64{1.2, 2.5}, []float64{1, 2.6}, 12, false},
	{"fast binding", func(_ float64, y, p, dy []complex128) {
		b := p[0]*y[0]*y[1] - p[1]*y[2]
		dy[0], dy[1], dy[2] = -b, p[2]-b, b-p[2]*y[2]
	}, []float64{1, 0.8, 0.1}, []float64{300, 40, 0.3}, 20, true},
	{"Van der Pol", func(_ float64, y, p, dy []complex128) {
		dy[0], dy[1] = y[1], p[0]*(1-y[0]*y[0])*y[1]-y[0]
	}, []float64{1.8, -0.5}, []float64{15}, 25, true},
}

// A studyCase is a problem at one point, and how it is to be solved.
type studyCase struct {
	Problem int       `json:"problem"`
	Solver  string    `json:"solver"`
	Rel     float64   `json:"rel"`
	Abs     float64   `json:"abs"`
	Y0      []float64 `json:"y0"`
	P       []float64 `json:"p"`
	TS      []float64 `json:"ts"`
}

var studySolvers = []string{"rk45", "ckrk", "adams", "bdf", "adjoint", "dae"}

// studyPoints is the number of random points of each problem.
const studyPoints = 3

// studyCases draws the cases: for each problem some points, for each point every solver that
// suits the problem at a tolerance of its own.
func studyCases(seed uint64) []studyCase {
	rng := rand.New(rand.NewPCG(14, seed))
	spread := func(x []float64, size float64) []float64 {
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = v * math.Exp(size*rng.NormFloat64())
		}
		return out
	}
	var out []studyCase
	for i, p := range problems {
		for range studyPoints {
			c := studyCase{Problem: i, Y0: spread(p.y0, 0.3), P: spread(p.p, 0.3)}
			for t := 0.0; len(c.TS) < 2+i%4*5; {
				t += p.end / float64(2+i%4*5) * 2 * rng.Float64()
				c.TS = append(c.TS, t)
			}
			for _, s := range studySolvers {
				c.Solver = s
				c.Rel = math.Pow(10, -3-6*rng.Float64())
				c.Abs = c.Rel * math.Pow(10, 2-4*rng.Float64())
				if !p.stiff || s != "rk45" && s != "ckrk" && s != "adams" {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// at returns the rates and their derivatives with respect to states and parameters, row by row.
func (m *problem) at(t float64, y, p []float64) ([]float64, [][]float64) {
	n, k := len(y), len(p)
	const h = 1e-100
	z, dz := make([]complex128, n+k), make([]complex128, n)
	for i, v := range append(append([]float64(nil), y...), p...) {
		z[i] = complex(v, 0)
	}
	rows, rate := make([][]float64, n), make([]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n+k)
	}
	for c := range z {
		z[c] += complex(0, h)
		m.f(t, z[:n], z[n:], dz)
		z[c] = complex(real(z[c]), 0)
		for i, d := range dz {
			rows[i][c], rate[i] = imag(d)/h, real(d)
		}
	}
	return rate, rows
}

// studySystem is a problem at work, which counts its evaluations.
type studySystem struct {
	*problem
	p            []float64
	rates, grads int
}

func (s *studySystem) Rate(t float64, y, dy []float64) error {
	s.rates++
	z := make([]complex128, len(y)+len(s.p))
	for i, v := range append(append([]float64(nil), y...), s.p...) {
		z[i] = complex(v, 0)
	}
	dz := make([]complex128, len(y))
	s.f(t, z[:len(y)], z[len(y):], dz)
	for i, d := range dz {
		dy[i] = real(d)
	}
	return nil
}

func (s *studySystem) Gradients(t float64, y, dy []float64) ([][]float64, error) {
	s.grads++
	rate, rows := s.at(t, y, s.p)
	copy(dy, rate)
	return rows, nil
}

// studyDAE is dy/dt - f = 0 with the algebraic equation w - p1*y1^2 = 0 behind.
type studyDAE struct{ *studySystem }

func (d studyDAE) Residual(t float64, y, yp, res []float64) error {
	n := len(y) - 1
	_ = d.Rate(t, y[:n], res[:n])
	for i := range n {
		res[i] = yp[i] - res[i]
	}
	res[n] = y[n] - d.p[0]*y[0]*y[0]
	return nil
}

func (d studyDAE) Gradients(t float64, y, yp, res []float64) ([][]float64, error) {
	n, k := len(y)-1, len(d.p)
	rows, err := d.studySystem.Gradients(t, y[:n], res[:n])
	var out [][]float64
	for i, r := range rows {
		row := make([]float64, 2*n+2+k)
		for c := range n {
			row[c] = -r[c]
		}
		for c := range k {
			row[2*n+2+c] = -r[n+c]
		}
		row[n+1+i] = 1
		res[i] = yp[i] - res[i]
		out = append(out, row)
	}
	last := make([]float64, 2*n+2+k)
	last[0], last[n], last[2*n+2] = -2*d.p[0]*y[0], 1, -y[0]*y[0]
	res[n] = y[n] - d.p[0]*y[0]*y[0]
	return append(out, last), err
}
