// Elementwise transforms: bounds, offset and multiplier. An infinite bound counts as
// absent.

package transform

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A ScalarMap is an elementwise transform of one number. Its parameters a and b are the
// bounds, or offset and multiplier; transforms of one parameter ignore b.
type ScalarMap struct {
	Name string
	NArg int
	// forward returns x and its log Jacobian.
	Forward func(y, a, b float64) (x, logJacobian float64)
	// partials returns d x and d logJacobian with respect to y, a, b.
	Partials func(y, a, b float64) (dx, dlog [3]float64)
	Inverse  func(x, a, b float64) float64
	Valid    func(a, b float64) string // "" or what is wrong with the parameters
	Check    func(x, a, b float64) string
}

func (m ScalarMap) params(args [][]float64, i int) (a, b float64) {
	a = ArgAt(args[0], i)
	if m.NArg > 1 {
		b = ArgAt(args[1], i)
	}
	return a, b
}

func (m ScalarMap) transform() *Transform {
	return &Transform{
		Name:        m.Name,
		Elementwise: true,
		Free:        func(dims []int) (int, error) { return SizeOf(dims), nil },
		Constrain:   m.constrain,
		VJP:         m.vjp,
		Unconstrain: m.unconstrain,
		Check:       m.checkAll,
	}
}

func (m ScalarMap) constrain(dims []int, free []float64, args [][]float64, x, _ []float64) (float64, error) {
	logJacobian := 0.0
	for i, y := range free {
		a, b := m.params(args, i)
		if text := m.Valid(a, b); text != "" {
			return 0, catalogue.DomainErrorf(m.Name+"_constrain", "%s", text)
		}
		var lj float64
		x[i], lj = m.Forward(y, a, b)
		logJacobian += lj
	}
	return logJacobian, nil
}

func (m ScalarMap) vjp(_ []int, free []float64, args [][]float64, _, adj []float64, adjLog float64, dfree []float64, dargs [][]float64, _ []float64) {
	for i, y := range free {
		a, b := m.params(args, i)
		dx, dlog := m.Partials(y, a, b)
		dfree[i] += float64(adj[i]*dx[0]) + float64(adjLog*dlog[0])
		for k := 0; k < m.NArg && k < len(dargs); k++ {
			if dargs[k] != nil {
				AddArgAt(dargs[k], i, float64(adj[i]*dx[k+1])+float64(adjLog*dlog[k+1]))
			}
		}
	}
}

func (m ScalarMap) unconstrain(dims []int, x []float64, args [][]float64, free []float64) error {
	if err := m.checkAll(dims, x, args); err != nil {
		return rejectUnless(m.Name, err)
	}
	for i, v := range x {
		a, b := m.params(args, i)
		if text := m.Valid(a, b); text != "" {
			return catalogue.DomainErrorf(m.Name+"_unconstrain", "%s", text)
		}
		free[i] = m.Inverse(v, a, b)
	}
	return nil
}

func (m ScalarMap) checkAll(dims []int, x []float64, args [][]float64) error {
	for i, v := range x {
		a, b := m.params(args, i)
		if text := m.Check(v, a, b); text != "" {
			return violationf("%s is %v, but must be %s", indexText(dims, i), v, text)
		}
	}
	return nil
}

func alwaysValid(_, _ float64) string { return "" }

// lowerTransform is x = a + exp(y).
func lowerTransform() *Transform { return LowerMap().transform() }

func LowerMap() ScalarMap {
	return ScalarMap{
		Name: "lower", NArg: 1, Valid: alwaysValid,
		Forward: func(y, a, _ float64) (float64, float64) {
			if math.IsInf(a, -1) {
				return y, 0
			}
			return a + libm.Exp(y), y
		},
		Partials: func(y, a, _ float64) (dx, dlog [3]float64) {
			if math.IsInf(a, -1) {
				return [3]float64{1}, dlog
			}
			return [3]float64{libm.Exp(y), 1}, [3]float64{1}
		},
		Inverse: func(x, a, _ float64) float64 {
			if math.IsInf(a, -1) {
				return x
			}
			return libm.Log(x - a)
		},
		Check: func(x, a, _ float64) string {
			if x >= a {
				return ""
			}
			return "greater than or equal to " + formatNumber(a)
		},
	}
}

// upperTransform is x = a - exp(y).
func upperTransform() *Transform { return UpperMap().transform() }

func UpperMap() ScalarMap {
	return ScalarMap{
		Name: "upper", NArg: 1, Valid: alwaysValid,
		Forward: func(y, a, _ float64) (float64, float64) {
			if math.IsInf(a, 1) {
				return y, 0
			}
			return a - libm.Exp(y), y
		},
		Partials: func(y, a, _ float64) (dx, dlog [3]float64) {
			if math.IsInf(a, 1) {
				return [3]float64{1}, dlog
			}
			return [3]float64{-libm.Exp(y), 1}, [3]float64{1}
		},
		Inverse: func(x, a, _ float64) float64 {
			if math.IsInf(a, 1) {
				return x
			}
			return libm.Log(a - x)
		},
		Check: func(x, a, _ float64) string {
			if x <= a {
				return ""
			}
			return "less than or equal to " + formatNumber(a)
		},
	}
}

// lowerUpperTransform is x = a + (b-a) inv_logit(y), computed from the nearer bound so
// that x never leaves the interval.
func lowerUpperTransform() *Transform { return LowerUpperMap().transform() }

func LowerUpperMap() ScalarMap {
	lower, upper := LowerMap(), UpperMap()
	m := ScalarMap{Name: "lower_upper", NArg: 2}
	m.Valid = func(a, b float64) string {
		if a < b {
			return ""
		}
		return "lower bound is " + formatNumber(a) + ", but must be less than the upper bound " + formatNumber(b)
	}
	m.Forward = func(y, a, b float64) (float64, float64) {
		switch {
		case math.IsInf(a, -1):
			return upper.Forward(y, b, 0)
		case math.IsInf(b, 1):
			return lower.Forward(y, a, 0)
		}
		e := libm.Exp(-math.Abs(y))
		step := float64((b - a) * (e / (1 + e))) // distance from the nearer bound
		lj := libm.Log(b-a) - math.Abs(y) - 2*libm.Log1p(e)
		if y > 0 {
			return b - step, lj
		}
		return a + step, lj
	}
	m.Partials = func(y, a, b float64) (dx, dlog [3]float64) {
		switch {
		case math.IsInf(a, -1):
			dx, dlog = upper.Partials(y, b, 0)
			return [3]float64{dx[0], 0, dx[1]}, dlog
		case math.IsInf(b, 1):
			return lower.Partials(y, a, 0)
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
	m.Inverse = func(x, a, b float64) float64 {
		switch {
		case math.IsInf(a, -1):
			return upper.Inverse(x, b, 0)
		case math.IsInf(b, 1):
			return lower.Inverse(x, a, 0)
		}
		return libm.Log((x - a) / (b - x))
	}
	m.Check = func(x, a, b float64) string {
		if text := lower.Check(x, a, 0); text != "" {
			return text
		}
		return upper.Check(x, b, 0)
	}
	return m
}

// offsetMultiplierTransform is x = a + b*y with offset a and multiplier b.
func offsetMultiplierTransform() *Transform { return OffsetMultiplierMap().transform() }

func OffsetMultiplierMap() ScalarMap {
	return ScalarMap{
		Name: "offset_multiplier", NArg: 2,
		Valid: func(a, b float64) string {
			switch {
			case math.IsInf(a, 0) || math.IsNaN(a):
				return "offset is " + formatNumber(a) + ", but must be finite"
			case !(b > 0) || math.IsInf(b, 1):
				return "multiplier is " + formatNumber(b) + ", but must be positive and finite"
			}
			return ""
		},
		Forward: func(y, a, b float64) (float64, float64) { return a + float64(b*y), libm.Log(b) },
		Partials: func(y, a, b float64) (dx, dlog [3]float64) {
			return [3]float64{b, 1, y}, [3]float64{0, 0, 1 / b}
		},
		Inverse: func(x, a, b float64) float64 { return (x - a) / b },
		Check:   func(_, _, _ float64) string { return "" },
	}
}
