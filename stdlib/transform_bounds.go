// Elementwise transforms: bounds, offset and multiplier. An infinite bound counts as
// absent.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A scalarMap is an elementwise transform of one number. Its parameters a and b are the
// bounds, or offset and multiplier; transforms of one parameter ignore b.
type scalarMap struct {
	name string
	nArg int
	// forward returns x and its log Jacobian.
	forward func(y, a, b float64) (x, logJacobian float64)
	// partials returns d x and d logJacobian with respect to y, a, b.
	partials func(y, a, b float64) (dx, dlog [3]float64)
	inverse  func(x, a, b float64) float64
	valid    func(a, b float64) string // "" or what is wrong with the parameters
	check    func(x, a, b float64) string
}

func (m scalarMap) params(args [][]float64, i int) (a, b float64) {
	a = argAt(args[0], i)
	if m.nArg > 1 {
		b = argAt(args[1], i)
	}
	return a, b
}

func (m scalarMap) transform() *Transform {
	return &Transform{
		Name:        m.name,
		Elementwise: true,
		Free:        func(dims []int) (int, error) { return sizeOf(dims), nil },
		Constrain:   m.constrain,
		VJP:         m.vjp,
		Unconstrain: m.unconstrain,
		Check:       m.checkAll,
	}
}

func (m scalarMap) constrain(dims []int, free []float64, args [][]float64, x, _ []float64) (float64, error) {
	logJacobian := 0.0
	for i, y := range free {
		a, b := m.params(args, i)
		if text := m.valid(a, b); text != "" {
			return 0, domainErrorf(m.name+"_constrain", "%s", text)
		}
		var lj float64
		x[i], lj = m.forward(y, a, b)
		logJacobian += lj
	}
	return logJacobian, nil
}

func (m scalarMap) vjp(_ []int, free []float64, args [][]float64, _, adj []float64, adjLog float64, dfree []float64, dargs [][]float64, _ []float64) {
	for i, y := range free {
		a, b := m.params(args, i)
		dx, dlog := m.partials(y, a, b)
		dfree[i] += float64(adj[i]*dx[0]) + float64(adjLog*dlog[0])
		for k := 0; k < m.nArg && k < len(dargs); k++ {
			if dargs[k] != nil {
				addArgAt(dargs[k], i, float64(adj[i]*dx[k+1])+float64(adjLog*dlog[k+1]))
			}
		}
	}
}

func (m scalarMap) unconstrain(dims []int, x []float64, args [][]float64, free []float64) error {
	if err := m.checkAll(dims, x, args); err != nil {
		return rejectUnless(m.name, err)
	}
	for i, v := range x {
		a, b := m.params(args, i)
		if text := m.valid(a, b); text != "" {
			return domainErrorf(m.name+"_unconstrain", "%s", text)
		}
		free[i] = m.inverse(v, a, b)
	}
	return nil
}

func (m scalarMap) checkAll(dims []int, x []float64, args [][]float64) error {
	for i, v := range x {
		a, b := m.params(args, i)
		if text := m.check(v, a, b); text != "" {
			return violationf("%s is %v, but must be %s", indexText(dims, i), v, text)
		}
	}
	return nil
}

func alwaysValid(_, _ float64) string { return "" }

// lowerTransform is x = a + exp(y).
func lowerTransform() *Transform { return lowerMap().transform() }

func lowerMap() scalarMap {
	return scalarMap{
		name: "lower", nArg: 1, valid: alwaysValid,
		forward: func(y, a, _ float64) (float64, float64) {
			if math.IsInf(a, -1) {
				return y, 0
			}
			return a + libm.Exp(y), y
		},
		partials: func(y, a, _ float64) (dx, dlog [3]float64) {
			if math.IsInf(a, -1) {
				return [3]float64{1}, dlog
			}
			return [3]float64{libm.Exp(y), 1}, [3]float64{1}
		},
		inverse: func(x, a, _ float64) float64 {
			if math.IsInf(a, -1) {
				return x
			}
			return libm.Log(x - a)
		},
		check: func(x, a, _ float64) string {
			if x >= a {
				return ""
			}
			return "greater than or equal to " + formatNumber(a)
		},
	}
}

// upperTransform is x = a - exp(y).
func upperTransform() *Transform { return upperMap().transform() }

func upperMap() scalarMap {
	return scalarMap{
		name: "upper", nArg: 1, valid: alwaysValid,
		forward: func(y, a, _ float64) (float64, float64) {
			if math.IsInf(a, 1) {
				return y, 0
			}
			return a - libm.Exp(y), y
		},
		partials: func(y, a, _ float64) (dx, dlog [3]float64) {
			if math.IsInf(a, 1) {
				return [3]float64{1}, dlog
			}
			return [3]float64{-libm.Exp(y), 1}, [3]float64{1}
		},
		inverse: func(x, a, _ float64) float64 {
			if math.IsInf(a, 1) {
				return x
			}
			return libm.Log(a - x)
		},
		check: func(x, a, _ float64) string {
			if x <= a {
				return ""
			}
			return "less than or equal to " + formatNumber(a)
		},
	}
}

// lowerUpperTransform is x = a + (b-a) inv_logit(y), computed from the nearer bound so
// that x never leaves the interval.
func lowerUpperTransform() *Transform { return lowerUpperMap().transform() }

func lowerUpperMap() scalarMap {
	lower, upper := lowerMap(), upperMap()
	m := scalarMap{name: "lower_upper", nArg: 2}
	m.valid = func(a, b float64) string {
		if a < b {
			return ""
		}
		return "lower bound is " + formatNumber(a) + ", but must be less than the upper bound " + formatNumber(b)
	}
	m.forward = func(y, a, b float64) (float64, float64) {
		switch {
		case math.IsInf(a, -1):
			return upper.forward(y, b, 0)
		case math.IsInf(b, 1):
			return lower.forward(y, a, 0)
		}
		e := libm.Exp(-math.Abs(y))
		step := float64((b - a) * (e / (1 + e))) // distance from the nearer bound
		lj := libm.Log(b-a) - math.Abs(y) - 2*libm.Log1p(e)
		if y > 0 {
			return b - step, lj
		}
		return a + step, lj
	}
	m.partials = func(y, a, b float64) (dx, dlog [3]float64) {
		switch {
		case math.IsInf(a, -1):
			dx, dlog = upper.partials(y, b, 0)
			return [3]float64{dx[0], 0, dx[1]}, dlog
		case math.IsInf(b, 1):
			return lower.partials(y, a, 0)
		}
		e := libm.Exp(-math.Abs(y))
		near, far := e/(1+e), 1/(1+e)
		p, q := near, far // p = inv_logit(y), q = 1 - p
		if y > 0 {
			p, q = far, near
		}
		w := b - a
		return [3]float64{w * near * far, q, p}, [3]float64{q - p, -1 / w, 1 / w}
	}
	m.inverse = func(x, a, b float64) float64 {
		switch {
		case math.IsInf(a, -1):
			return upper.inverse(x, b, 0)
		case math.IsInf(b, 1):
			return lower.inverse(x, a, 0)
		}
		return libm.Log((x - a) / (b - x))
	}
	m.check = func(x, a, b float64) string {
		if text := lower.check(x, a, 0); text != "" {
			return text
		}
		return upper.check(x, b, 0)
	}
	return m
}

// offsetMultiplierTransform is x = a + b*y with offset a and multiplier b.
func offsetMultiplierTransform() *Transform { return offsetMultiplierMap().transform() }

func offsetMultiplierMap() scalarMap {
	return scalarMap{
		name: "offset_multiplier", nArg: 2,
		valid: func(a, b float64) string {
			switch {
			case math.IsInf(a, 0) || math.IsNaN(a):
				return "offset is " + formatNumber(a) + ", but must be finite"
			case !(b > 0) || math.IsInf(b, 1):
				return "multiplier is " + formatNumber(b) + ", but must be positive and finite"
			}
			return ""
		},
		forward: func(y, a, b float64) (float64, float64) { return a + float64(b*y), libm.Log(b) },
		partials: func(y, a, b float64) (dx, dlog [3]float64) {
			return [3]float64{b, 1, y}, [3]float64{0, 0, 1 / b}
		},
		inverse: func(x, a, b float64) float64 { return (x - a) / b },
		check:   func(_, _, _ float64) string { return "" },
	}
}
