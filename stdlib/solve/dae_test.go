// The differential-algebraic solver: Robertson's problem with its conservation law in
// place of the third equation, and a circuit with a closed form.

package solve

import (
	"math"
	"testing"
)

// robertsonDAE is y1' + ... = 0, y2' + ... = 0, y1 + y2 + y3 - 1 = 0.
type robertsonDAE struct{ p []float64 }

func (r robertsonDAE) Residual(t float64, y, yp, res []float64) error {
	f := robertson.f(t, y, r.p)
	res[0], res[1], res[2] = yp[0]-f[0], yp[1]-f[1], y[0]+y[1]+y[2]-1
	return nil
}

func (r robertsonDAE) Gradients(t float64, y, yp, res []float64) ([][]float64, error) {
	rows := make([][]float64, 3)
	for i, j := range robertson.jac(t, y, r.p)[:2] {
		row := make([]float64, 9)
		for k := range 3 {
			row[k], row[6+k] = -j[k], -j[3+k]
		}
		row[3+i] = 1
		rows[i] = row
	}
	rows[2] = []float64{1, 1, 1, 0, 0, 0, 0, 0, 0}
	return rows, r.Residual(t, y, yp, res)
}

func TestDAE(t *testing.T) {
	want := robertson.reference(t)
	before := math.Inf(1)
	for _, rel := range []float64{1e-4, 1e-6, 1e-8} {
		tol := robertson.tolerance(rel)
		var out collect
		err := NewDAEIntegrator(robertsonDAE{robertson.p}, Size{States: 3}, tol).
			Integrate(0, []float64{1, 0, 0}, []float64{-0.04, 0.04, 0}, robertson.ts, &out)
		if err != nil {
			t.Fatal(err)
		}
		d := deviation(out, want, tol)
		t.Logf("tolerance %g: error %.3g tolerances", rel, d)
		if !(d <= 100) || !(d*rel < before) {
			t.Errorf("tolerance %g: error %g tolerances", rel, d)
		}
		before = d * rel
	}
}

// TestDAESensitivities compares with the differential equation's.
func TestDAESensitivities(t *testing.T) {
	tol := robertson.tolerance(1e-9)
	want := robertson.solution(t, BDF, tol, robertson.p, true)
	size := Size{States: 3, Params: 3}
	y := make([]float64, size.Len())
	y[0] = 1
	var got collect
	err := NewDAEIntegrator(robertsonDAE{robertson.p}, size, tol).
		Integrate(0, y, []float64{-0.04, 0.04, 0}, robertson.ts, &got)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for c := range 3 {
			scale := 0.0
			for j := range 3 {
				scale = math.Max(scale, math.Abs(want[i][3+6*j+3+c]))
			}
			for j := range 3 {
				if w, g := want[i][3+6*j+3+c], got[i][3+3*j+c]; !(math.Abs(w-g) <= 1e-5*scale) {
					t.Errorf("at %g: derivative of y%d with respect to p%d is %g, want %g", robertson.ts[i], j+1, c+1, g, w)
				}
			}
		}
	}
}

// divider is y1' = -p*y2, 0 = y2 - 2*y1: y1 = a*exp(-2*p*t), with an initial y2 that may
// be varied on its own without effect.
type divider struct{ p float64 }

func (d divider) Residual(_ float64, y, yp, res []float64) error {
	res[0], res[1] = yp[0]+d.p*y[1], y[1]-2*y[0]
	return nil
}

func (d divider) Gradients(t float64, y, yp, res []float64) ([][]float64, error) {
	return [][]float64{{0, d.p, 1, 0, y[1]}, {-2, 1, 0, 0, 0}}, d.Residual(t, y, yp, res)
}

func TestAlgebraicStart(t *testing.T) {
	size := Size{States: 2, Free: 2, Params: 1}
	y := make([]float64, size.Len())
	y[0], y[1], y[2], y[6] = 3, 6, 1, 1
	ts := []float64{0.1, 1, 4}
	var out collect
	err := NewDAEIntegrator(divider{0.3}, size, Tolerance{Rel: 1e-9, Abs: []float64{1e-9}, MaxSteps: 10000}).
		Integrate(0, y, []float64{-1.8, -3.6}, ts, &out)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range ts {
		e := math.Exp(-0.6 * s)
		want := []float64{3 * e, 6 * e, e, 0, -6 * s * e, 2 * e, 0, -12 * s * e}
		for k, w := range want {
			if math.Abs(out[i][k]-w) > 1e-5 {
				t.Errorf("at %g: number %d is %g, want %g", s, k, out[i][k], w)
			}
		}
	}
}
