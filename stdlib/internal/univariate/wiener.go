// This file holds the Wiener first passage time distribution: the time at which a
// Brownian motion with drift delta, started at beta alpha between 0 and alpha,
// first meets the upper boundary, plus a non-decision time tau.
//
// All is done for the lower boundary, which the reflection (beta, delta) to
// (1-beta, -delta) makes of the upper one. Without drift and for unit separation
// the density f0(u, w) at time u from start w has two series (Feller 1968; Navarro
// and Fuss 2009), for small and for large u; drift and separation are factors:
//
//	f(t) = a^-2 exp(-v a w - v^2 t/2) f0(t/a^2, w)
//
// Variable drift multiplies by a Gaussian integral; variable start and non-decision
// time are averaged by Gauss's rule.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func wienerDistributions() []*catalogue.Distribution {
	base := []catalogue.Requirement{catalogue.PositiveFinite, catalogue.PositiveFinite, catalogue.PositiveFinite, catalogue.OpenProbability, catalogue.Finite}
	four := &catalogue.Distribution{
		Name: "wiener", Args: "reals y | reals alpha, reals tau, reals beta, reals delta",
		Doc:      "Wiener first passage time distribution with separation alpha, non-decision time tau, bias beta and drift delta",
		Section:  lowerBounded,
		Requires: base, Valid: afterNonDecision, Log: wienerLog,
	}
	five := &catalogue.Distribution{
		Name: "wiener", Args: four.Args + ", reals var_delta",
		Doc: four.Doc + ", with standard deviation var_delta of the drift", Section: lowerBounded,
		Requires: append(base[:5:5], catalogue.NonnegativeFinite), Valid: afterNonDecision, Log: wienerLog,
	}
	seven := &catalogue.Distribution{
		Name: "wiener", Args: five.Args + ", reals var_beta, reals var_tau",
		Doc:      five.Doc + " and ranges var_beta of the bias and var_tau of the non-decision time",
		Section:  lowerBounded,
		Requires: append(base[:5:5], catalogue.NonnegativeFinite, catalogue.Within(0, catalogue.BelowOne, "at least 0 and less than 1"), catalogue.NonnegativeFinite),
		Valid:    wienerRanges, Log: wienerAveraged,
	}
	four.Rows = func(*catalogue.Distribution) []*catalogue.Function {
		var rows []*catalogue.Function
		for _, d := range []*catalogue.Distribution{four, five, seven} {
			plain := *d
			plain.Rows = nil
			rows = append(rows, DensityFunctions(&plain)...)
			if d != four {
				rows = append(rows, withPrecision(rows[len(rows)-1]))
			}
		}
		return append(rows, wienerCumulative(four, seven)...)
	}
	return []*catalogue.Distribution{four}
}

// afterNonDecision wants a time after the non-decision time.
func afterNonDecision(x []float64) *catalogue.Violation {
	if x[0] > x[2] {
		return nil
	}
	return &catalogue.Violation{Arg: 0, Must: "greater than tau, which is " + catalogue.NumberText(x[2])}
}

func wienerRanges(x []float64) *catalogue.Violation {
	if v := afterNonDecision(x); v != nil {
		return v
	}
	if h := float64(0.5 * x[6]); x[3]-h < 0 || x[3]+h > 1 {
		return &catalogue.Violation{Arg: 6, Must: "such that beta plus or minus half of it is in the interval [0, 1]"}
	}
	return nil
}

// wienerLog takes (y, alpha, tau, beta, delta) and, if there is one more, var_delta.
func wienerLog(x, d []float64) float64 {
	sv := 0.0
	if len(x) > 5 {
		sv = x[5]
	}
	g := wienerPassage(x[0]-x[2], x[1], 1-x[3], -x[4], sv)
	if d != nil {
		d[0], d[1], d[2], d[3], d[4] = g.dt, g.da, -g.dt, -g.dw, -g.dv
		if len(x) > 5 {
			d[5] = g.dsv
		}
	}
	return g.log
}

// A passage is the log density of the lower passage time with its derivatives.
type passage struct {
	log, dt, da, dw, dv, dsv float64
}

// wienerPassage is the log density of passing 0 at time t, from a w.
func wienerPassage(t, a, w, v, sv float64) passage {
	u := t / (a * a)
	log0, du, dw := unitPassage(u, w)
	p := passage{
		log: log0 - 2*libm.Log(a),
		dt:  du / (a * a),
		da:  -2/a - float64(2*u/a*du),
		dw:  dw,
	}
	// The mean of exp(-v a w - v^2 t/2) over a normal drift of sd sv.
	s2 := float64(sv * sv)
	s := 1 + float64(s2*t)
	q := (float64(s2*a*w*a*w) - float64(2*a*w*v) - float64(v*v*t)) / s
	p.log += float64(0.5*q) - float64(0.5*libm.Log(s))
	p.dt += -0.5 * (float64(v*v) + float64(s2*q) + s2) / s
	p.da += w * (float64(s2*a*w) - v) / s
	p.dw += a * (float64(s2*a*w) - v) / s
	p.dv = -(float64(a*w) + float64(v*t)) / s
	p.dsv = sv * (float64(a*w*a*w) - float64(t*q) - t) / s
	return p
}

// unitPassage is log f0(u, w) and its derivatives in u and w.
func unitPassage(u, w float64) (log, du, dw float64) {
	if u < 0.4 {
		return unitPassageEarly(u, w)
	}
	// pi sum_k k exp(-k^2 pi^2 u/2) sin(k pi w), relative to the first exponential;
	// sin(k pi w) from 1-w where that is closer to 0.
	sum, sumU, sumW := 0.0, 0.0, 0.0
	for k := 1.0; k < 30; k++ {
		e := k * libm.Exp(-0.5*(float64(k*k)-1)*math.Pi*math.Pi*u)
		sin, cos := libm.Sincos(k * math.Pi * w)
		if w > 0.5 {
			sin = libm.Sin(k * math.Pi * (1 - w))
			if math.Mod(k, 2) == 0 {
				sin = -sin
			}
		}
		sum += float64(e * sin)
		sumU -= float64(e * sin * 0.5 * k * k * math.Pi * math.Pi)
		sumW += float64(e * cos * k * math.Pi)
		if e*k*k < 1e-19 {
			break
		}
	}
	return libm.Log(math.Pi*sum) - float64(0.5*math.Pi*math.Pi*u), sumU / sum, sumW / sum
}

// unitPassageEarly is (2 pi u^3)^(-1/2) sum_k (w+2k) exp(-(w+2k)^2/(2u)), relative
// to the exponential of k = 0.
func unitPassageEarly(u, w float64) (log, du, dw float64) {
	sum, sumU, sumW := 0.0, 0.0, 0.0
	add := func(k float64) float64 {
		z := w + 2*k
		e := libm.Exp(-2 * k * (k + w) / u)
		sum += float64(z * e)
		sumU += z * z * z * e / (2 * u * u)
		sumW += float64((1 - z*z/u) * e)
		return e
	}
	add(0)
	for k := 1.0; k < 30; k++ {
		e := add(-k)
		add(k)
		if e*k*k*k/(u*u) < 1e-19*sum {
			break
		}
	}
	return libm.Log(sum) - float64(0.5*libm.Log(2*math.Pi*u*u*u)) - w*w/(2*u), sumU/sum - 1.5/u, sumW / sum
}
