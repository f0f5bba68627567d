// The solvers against Stan's at the same tolerances: errors of solutions and of derivatives, and
// evaluations of the right-hand side. What Stan does is on file (testdata/stan).

package solve

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

var (
	writeCases = flag.String("cases", "", "write the cases for testdata/stan/cases.cpp to this file")
	readStan   = flag.String("stan", "", "take what testdata/stan/cases.cpp has printed from this file")
	studyFile  = flag.String("errors", "testdata/stan/errors.txt", "the errors that Stan makes")
	studySeed  = flag.Uint64("points", 1, "the seed of the cases; for another one than 1 the flags above are needed, too")
)

// A studyResult is a solution with its derivatives: for each time the states and then, row by
// row, the derivatives with respect to the initial state and the parameters; dae's lack the
// former. For the adjoint solver the derivatives are those of one weighted sum, once.
type studyResult struct {
	y, dy []float64
	evals int // with derivatives; one without counts as part of them
}

// ours solves a case with the solver under test.
func (c *studyCase) ours() (*studyResult, error) {
	m := problems[c.Problem]
	n, k := len(c.Y0), len(c.P)
	sys := &studySystem{problem: m, p: c.P}
	tol := Tolerance{Rel: c.Rel, Abs: []float64{c.Abs}, MaxSteps: 1000000}
	r := &studyResult{}
	var out collect
	size := Size{States: n, Free: n, Params: k}
	switch c.Solver {
	case "adjoint":
		return c.adjoint(sys, tol)
	case "dae":
		size = Size{States: n + 1, Params: k}
		y := make([]float64, size.Len())
		copy(y, c.Y0)
		y[n] = c.P[0] * c.Y0[0] * c.Y0[0]
		y[n+1+n*k] = c.Y0[0] * c.Y0[0]
		rate, _ := m.at(0, c.Y0, c.P)
		yp := append(rate, 2*c.P[0]*c.Y0[0]*rate[0])
		if err := NewDAEIntegrator(studyDAE{sys}, size, tol).Integrate(0, y, yp, c.TS, &out); err != nil {
			return nil, err
		}
		n++
	default:
		y := make([]float64, size.Len())
		copy(y, c.Y0)
		for i := range n {
			y[n+i*(n+k)+i] = 1
		}
		method := map[string]Method{"rk45": DormandPrince, "ckrk": CashKarp, "adams": Adams, "bdf": BDF}[c.Solver]
		if err := NewIntegrator(method, sys, size, tol).Integrate(0, y, c.TS, &out); err != nil {
			return nil, err
		}
	}
	for _, y := range out {
		r.y = append(r.y, y[:n]...)
		r.dy = append(r.dy, y[n:]...)
	}
	r.evals = sys.grads + sys.rates
	return r, nil
}

func (c *studyCase) adjoint(sys *studySystem, tol Tolerance) (*studyResult, error) {
	n, k := len(c.Y0), len(c.P)
	a := NewAdjointIntegrator(BDF, sys, Size{States: n, Params: k}, tol, Backward{BDF, tol, tol})
	var out collect
	if err := a.Integrate(0, c.Y0, c.TS, &out); err != nil {
		return nil, err
	}
	r := &studyResult{dy: make([]float64, n+k)}
	for _, y := range out {
		r.y = append(r.y, y[:n]...)
	}
	if err := a.Gradient(0, c.TS, weights(len(r.y)), r.dy[:n], r.dy[n:]); err != nil {
		return nil, err
	}
	r.evals = sys.grads + sys.rates
	return r, nil
}

// weights are those of the sum that the adjoint solver differentiates.
func weights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = math.Sin(float64(i + 1))
	}
	return w
}

// states solves states and sensitivities by a reference solver at 1e-12.
func (c *studyCase) states(t *testing.T) [][]float64 {
	m := problems[c.Problem]
	n, k := len(c.Y0), len(c.P)
	cols := n + k
	f := func(t float64, z []float64) []float64 {
		rate, rows := m.at(t, z[:n], c.P)
		out := append(rate, make([]float64, n*cols)...)
		product(rows, n, cols, z[n:], out[n:])
		return out
	}
	z := make([]float64, n*(1+cols))
	copy(z, c.Y0)
	for i := range n {
		z[n+i*cols+i] = 1
	}
	to := c.reference(t, f, z)
	var out [][]float64
	for _, s := range c.TS {
		out = append(out, append([]float64(nil), to(s)...))
	}
	return out
}

// add takes the numbers of one time.
func (r *studyResult) add(c *studyCase, z []float64, n, k int) {
	cols := n + k
	r.y = append(r.y, z[:n]...)
	if c.Solver != "dae" {
		r.dy = append(r.dy, z[n:]...)
		return
	}
	r.y = append(r.y, c.P[0]*z[0]*z[0])
	for i := range n {
		r.dy = append(r.dy, z[n+i*cols+n:n+(i+1)*cols]...)
	}
	for j := range k {
		d := 2 * c.P[0] * z[0] * z[n+n+j]
		if j == 0 {
			d += z[0] * z[0]
		}
		r.dy = append(r.dy, d)
	}
}

// reduce replaces the derivatives by those of the weighted sum.
func (r *studyResult) reduce(n, cols int) {
	w, dy := weights(len(r.y)), make([]float64, cols)
	for i, wi := range w {
		axpy(dy, wi, r.dy[i*cols:(i+1)*cols])
	}
	r.dy = dy
}

// reference is a solver at 1e-12: Gragg's extrapolation, or for stiff problems the Radau solver
// with the Jacobian of the states alone, which its iteration corrects.
func (c *studyCase) reference(t *testing.T, f func(float64, []float64) []float64, z []float64) func(float64) []float64 {
	m := problems[c.Problem]
	if !m.stiff {
		return (&gragg{f: f, y: z, h: 0.01}).to
	}
	n, k := len(c.Y0), len(c.P)
	cols := n + k
	jac := func(t float64, z []float64) []float64 {
		_, rows := m.at(t, z[:n], c.P)
		out := make([]float64, len(z)*len(z))
		for i, row := range rows {
			for j, v := range row[:n] {
				out[i*len(z)+j] = v
				for c := range cols {
					out[(n+i*cols+c)*len(z)+n+j*cols+c] = v
				}
			}
		}
		return out
	}
	r := newRadau(0, z, 1e-12, f, jac)
	return func(s float64) []float64 { return r.to(t, s) }
}

// A gragg is the modified midpoint rule with polynomial extrapolation to order 16 (W. B. Gragg,
// SIAM J. Numer. Anal. 2, 1965).
type gragg struct {
	f    func(float64, []float64) []float64
	t, h float64
	y    []float64
}

// midpoint makes a step of size h in n parts, n even.
func (g *gragg) midpoint(h float64, n int) []float64 {
	d := h / float64(n)
	a := append([]float64(nil), g.y...)
	b := append([]float64(nil), g.y...)
	axpy(b, d, g.f(g.t, a))
	for i := 1; i < n; i++ {
		axpy(a, 2*d, g.f(g.t+float64(i)*d, b))
		a, b = b, a
	}
	return b
}

// to integrates to the time end.
func (g *gragg) to(end float64) []float64 {
	const columns = 8
	for g.t < end {
		h := math.Min(g.h, end-g.t)
		var rows [columns][]float64
		worst := 0.0
		for k := range columns {
			rows[k] = g.midpoint(h, 2*k+2)
			for j := k - 1; j >= 0; j-- {
				ratio := float64(k+1) / float64(j+1)
				for i := range g.y {
					v := rows[j+1][i] + (rows[j+1][i]-rows[j][i])/(ratio*ratio-1)
					if k == columns-1 && j == 0 {
						worst = math.Max(worst, math.Abs(v-rows[j+1][i])/(1e-13*(1e-6+math.Abs(v))))
					}
					rows[j][i] = v
				}
			}
		}
		if worst <= 1 {
			g.t += h
			if h < g.h {
				g.t = end
			}
			g.y = rows[0]
		}
		if worst > 1 || h == g.h {
			g.h = h * math.Min(2, math.Max(0.2, 0.8*math.Pow(worst+1e-9, -1./15)))
		}
	}
	return g.y
}

// errors are the greatest errors of solution and derivatives, in units of the tolerance.
func (c *studyCase) errors(got, want *studyResult) (value, gradient float64) {
	worst := func(got, want []float64) float64 {
		e := 0.0
		for i, w := range want {
			e = worse(e, math.Abs(got[i]-w)/(c.Abs+c.Rel*math.Abs(w)))
		}
		return e
	}
	return worst(got.y, want.y), worst(got.dy, want.dy)
}

// line is the case as cases.cpp reads it.
func (c *studyCase) line() string {
	s := fmt.Sprintf("%d %s %v %v %d %d %d", c.Problem, c.Solver, c.Rel, c.Abs, len(c.Y0), len(c.P), len(c.TS))
	for _, x := range [][]float64{c.Y0, c.P, c.TS} {
		for _, v := range x {
			s += " " + strconv.FormatFloat(v, 'g', 17, 64)
		}
	}
	return s
}

// A studyReference keeps exact states and sensitivities, which the cases of one point share. The
// file that they are compared with has what Stan 2.32 does: a line for each case, in order, with the problem, the
// solver, the greatest errors of solution and derivatives in units of the tolerance, and the
// evaluations of the right-hand side.
type studyReference map[string][][]float64

// of returns the exact result of a case.
func (r studyReference) of(t *testing.T, c *studyCase) *studyResult {
	key := fmt.Sprint(c.P)
	if r[key] == nil {
		r[key] = c.states(t)
	}
	out := &studyResult{}
	n, k := len(c.Y0), len(c.P)
	for _, z := range r[key] {
		out.add(c, z, n, k)
	}
	if c.Solver == "adjoint" {
		out.reduce(n, n+k)
	}
	return out
}

// convertStan writes studyFile from what testdata/stan/cases.cpp has printed.
func convertStan(t *testing.T, path string, cases []studyCase, exact studyReference) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		c, fields := &cases[i], strings.Fields(line)
		want := exact.of(t, c)
		var x []float64
		for _, w := range fields[2:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatalf("case %d: %v", i, err)
			}
			x = append(x, v)
		}
		n, e := len(want.y), len(x)-2
		value, gradient := c.errors(&studyResult{y: x[:n], dy: x[n:e]}, want)
		fmt.Fprintf(&b, "%s %s %.3g %.3g %g\n", fields[0], fields[1], value, gradient, x[e]+x[e+1])
	}
	if err := os.WriteFile(*studyFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A studyRow sums up the cases of one solver.
type studyRow struct {
	cases, worse          int
	value, gradient, cost float64 // sums of logarithms of ratios
}

// TestStan asks that the solvers are not less accurate than Stan's: on average they are several
// times as accurate. An error is a sum of many and small by chance now and then, so that Stan's may be the smaller one in
// one comparison of forty.
func TestStan(t *testing.T) {
	cases, exact := studyCases(*studySeed), studyReference{}
	if *writeCases != "" {
		var b strings.Builder
		for _, c := range cases {
			fmt.Fprintln(&b, c.line())
		}
		if err := os.WriteFile(*writeCases, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if *readStan != "" {
		convertStan(t, *readStan, cases, exact)
	}
	rows := compareStan(t, *studyFile, cases, exact)
	for _, s := range studySolvers {
		r := rows[s]
		value, gradient := r.report(t, s)
		if value > 0.3 || gradient > 0.3 || 40*r.worse > 2*r.cases {
			t.Errorf("%s is less accurate than Stan's", s)
		}
	}
}

// TestStanAdjoint has further points for the adjoint solver, whose gradient has the errors of two
// integrations: Stan's is the smaller error in one comparison of a hundred at most.
func TestStanAdjoint(t *testing.T) {
	var cases []studyCase
	for _, seed := range []uint64{2, 4} {
		for _, c := range studyCases(seed) {
			if c.Solver == "adjoint" {
				cases = append(cases, c)
			}
		}
	}
	r := compareStan(t, "testdata/stan/adjoint.txt", cases, studyReference{})["adjoint"]
	if r.report(t, "adjoint"); 100*r.worse > 2*r.cases {
		t.Errorf("adjoint is less accurate than Stan's in %d of %d comparisons", r.worse, 2*r.cases)
	}
}

// compareStan sums up the cases beside what a file says of Stan, solver by solver.
func compareStan(t *testing.T, file string, cases []studyCase, exact studyReference) map[string]*studyRow {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := map[string]*studyRow{}
	for i := range cases {
		c := &cases[i]
		var problem int
		var solver string
		var value, gradient, evals float64
		if _, err := fmt.Fscan(f, &problem, &solver, &value, &gradient, &evals); err != nil || problem != c.Problem || solver != c.Solver {
			t.Fatalf("%s, line %d: %d %s, %v", file, i+1, problem, solver, err)
		}
		got, err := c.ours()
		if err != nil {
			t.Errorf("%s by %s: %v", problems[problem].name, solver, err)
			continue
		}
		v, g := c.errors(got, exact.of(t, c))
		t.Logf("%-16s %-7s tolerances %.0e %.0e: errors %.3g (Stan %.3g), derivatives %.3g (%.3g), evaluations %d (%g)",
			problems[problem].name, solver, c.Rel, c.Abs, v, value, g, gradient, got.evals, evals)
		if rows[solver] == nil {
			rows[solver] = &studyRow{}
		}
		rows[solver].add(v/value, g/gradient, float64(got.evals)/evals)
	}
	return rows
}

// report logs the geometric means of the ratios, and returns those of errors.
func (r *studyRow) report(t *testing.T, solver string) (value, gradient float64) {
	n := float64(r.cases)
	value, gradient = math.Exp(r.value/n), math.Exp(r.gradient/n)
	t.Logf("%-7s %d cases: errors %.2f of Stan's, of derivatives %.2f, evaluations %.2f; greater than Stan's %d times",
		solver, r.cases, value, gradient, math.Exp(r.cost/n), r.worse)
	return value, gradient
}

func (r *studyRow) add(value, gradient, cost float64) {
	r.cases++
	for _, ratio := range []float64{value, gradient} {
		if ratio > 1 {
			r.worse++
		}
	}
	r.value += math.Log(value)
	r.gradient += math.Log(gradient)
	r.cost += math.Log(cost)
}
