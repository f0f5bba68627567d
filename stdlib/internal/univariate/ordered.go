// This file holds the ordered logistic and ordered probit distributions.

package univariate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func orderedDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		orderedRow("ordered_logistic", "ordered logistic distribution with predictor eta and cut points c",
			orderedLogistic, logitOf, orderedForms),
		orderedRow("ordered_probit", "ordered probit distribution with predictor eta and cut points c",
			orderedProbit, nil, append(orderedForms, "array[] int k | real eta, vector c", "array[] int k | real eta, array[] vector c")),
	}
}

// orderedForms are the arguments that both families take, as in stanc's list of signatures: a
// predictor for each of several outcomes. Only the probit takes one for all.
var orderedForms = []string{"int k | real eta, vector c", "array[] int k | vector eta, vector c", "array[] int k | vector eta, array[] vector c"}

// An orderedMass is the log of F(hi) - F(lo) for the distribution function F of the
// family, with its derivatives; lo may be -Inf and hi +Inf.
type orderedMass func(lo, hi float64) (v, dlo, dhi float64)

func orderedRow(name, doc string, mass orderedMass, quantile func(p float64) float64, forms []string) *catalogue.Distribution {
	return &catalogue.Distribution{
		Name: name, Args: "ints k | reals eta, vectors c", Discrete: true, Doc: doc, Section: BoundedInt,
		Rows: func(d *catalogue.Distribution) []*catalogue.Function {
			rngName := name + "_rng"
			rows := vectorRows(d, orderedKernel(name+"_lpmf", mass), "int "+rngName+"(real eta, vector c)", &catalogue.Drawer{
				Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
					if err := requireOrdered(rngName, in[0], in[1]); err != nil {
						return err
					}
					// The latent variate, and the cut points below it.
					var latent float64
					if quantile != nil {
						latent = in[0].X[0] + quantile(OpenUniform(r))
					} else {
						latent = in[0].X[0] + variate.Normal(r)
					}
					k := 1.0
					for _, c := range in[1].X {
						if latent > c {
							k++
						}
					}
					out[0] = k
					return nil
				},
			})
			rows[0].Signatures = nil
			for _, args := range forms {
				rows[0].Signatures = append(rows[0].Signatures, "real "+name+"_lpmf("+args+")")
			}
			return rows
		},
	}
}

// cutPoints returns the cut points of variate i and their offset in the tensor.
func cutPoints(c catalogue.Tensor, i int) (cuts []float64, from int) {
	size := c.Dims[len(c.Dims)-1]
	if len(c.Dims) == 1 {
		return c.X, 0
	}
	return c.X[i*size : (i+1)*size], i * size
}

func orderedKernel(fn string, mass orderedMass) *catalogue.Kernel {
	return sumOnly(orderedSizes, nil, func(in []catalogue.Tensor) error {
		cuts := in[2].Dims[len(in[2].Dims)-1]
		if err := requireOutcomes(fn, "k", in[0], cuts+1); err != nil {
			return err
		}
		return requireOrdered(fn, in[1], in[2])
	}, func(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) float64 {
		n, sum := orderedCount(in), 0.0
		k, eta := ColumnOf(in[0]), ColumnOf(in[1])
		deta := gradientOf(din, in, 1)
		var dc []float64
		if len(din) > 0 {
			dc = din[2]
		}
		if n > 1 && len(in[2].Dims) == 1 {
			return orderedSum(fn == "ordered_probit_lpmf", n, k, eta, in[2].X, adj, adj, deta, dc)
		}
		for i := range n {
			cuts, from := cutPoints(in[2], i)
			y := int(k.at(i))
			lo, hi := math.Inf(-1), math.Inf(1)
			if y > 1 {
				lo = cuts[y-2] - eta.at(i)
			}
			if y <= len(cuts) {
				hi = cuts[y-1] - eta.at(i)
			}
			v, dlo, dhi := mass(lo, hi)
			sum += v
			deta.add(i, -adj*(dlo+dhi))
			if dc != nil && y > 1 {
				dc[from+y-2] += float64(adj * dlo)
			}
			if dc != nil && y <= len(cuts) {
				dc[from+y-1] += float64(adj * dhi)
			}
		}
		return sum
	})
}

// orderedCount is the number of variates.
func orderedCount(in []catalogue.Tensor) int {
	switch {
	case len(in[0].Dims) > 0:
		return len(in[0].X)
	case len(in[1].Dims) > 0:
		return len(in[1].X)
	case len(in[2].Dims) > 1:
		return in[2].Dims[0]
	}
	return 1
}

func orderedSizes(in []catalogue.Tensor) error {
	n := orderedCount(in)
	if len(in[1].Dims) > 0 && len(in[1].X) != n {
		return fmt.Errorf("k has %d elements and eta has %d, but containers must agree in size", n, len(in[1].X))
	}
	if len(in[2].Dims) > 1 && in[2].Dims[0] != n {
		return fmt.Errorf("k or eta has %d elements and c has %d, but containers must agree in size", n, in[2].Dims[0])
	}
	return nil
}

// requireOrdered wants a finite predictor and finite, increasing cut points.
func requireOrdered(fn string, eta, c catalogue.Tensor) error {
	if err := requireAll(fn, "eta", eta, &catalogue.Finite); err != nil {
		return err
	}
	if err := requireAll(fn, "c", c, &catalogue.Finite); err != nil {
		return err
	}
	size := c.Dims[len(c.Dims)-1]
	for i := range c.X {
		if i%size > 0 && !(c.X[i] > c.X[i-1]) {
			return catalogue.ArgumentError(fn, "c", c, i, "greater than the cut point before it, which is "+catalogue.NumberText(c.X[i-1]))
		}
	}
	return nil
}

// orderedLogistic: with the logistic F the difference is
// (1 - exp(lo-hi)) F(hi) F(-lo).
func orderedLogistic(lo, hi float64) (v, dlo, dhi float64) {
	logF := func(x float64) float64 { return math.Min(x, 0) - libm.Log1p(libm.Exp(-math.Abs(x))) }
	switch {
	case math.IsInf(lo, -1):
		return logF(hi), 0, InverseLogit(-hi)
	case math.IsInf(hi, 1):
		return logF(-lo), -InverseLogit(lo), 0
	}
	r := 1 / libm.Expm1(hi-lo)
	return special.Log1mExp(lo-hi) + logF(hi) + logF(-lo), -InverseLogit(lo) - r, InverseLogit(-hi) + r
}

// OrderedLogistics is the sum of the log masses of n variates with the same cut points. It
// adds the derivatives, adjEta times to deta and adj times to dc, if this is there.
func OrderedLogistics(n int, k, eta Column, cuts []float64, adjEta, adj float64, deta Gradient, dc []float64) float64 {
	return orderedSum(false, n, k, eta, cuts, adjEta, adj, deta, dc)
}

// orderedSum is OrderedLogistics for either family. Its arrays stay on the stack because it calls no function by a variable.
func orderedSum(probit bool, n int, k, eta Column, cuts []float64, adjEta, adj float64, deta Gradient, dc []float64) float64 {
	var low, high, dlow, dhigh [piece]float64
	sum := 0.0
	for from := 0; from < n; from += piece {
		m := min(piece, n-from)
		for i := range m {
			y, e := int(k.at(from+i)), eta.at(from+i)
			low[i], high[i] = math.Inf(-1), math.Inf(1)
			if y > 1 {
				low[i] = cuts[y-2] - e
			}
			if y <= len(cuts) {
				high[i] = cuts[y-1] - e
			}
		}
		if probit {
			sum += orderedProbits(low[:m], high[:m], dlow[:m], dhigh[:m])
		} else {
			sum += orderedLogistics(low[:m], high[:m], dlow[:m], dhigh[:m])
		}
		for i := range m {
			deta.add(from+i, -adjEta*(dlow[i]+dhigh[i]))
			if y := int(k.at(from + i)); dc != nil {
				if y > 1 {
					dc[y-2] += float64(adj * dlow[i])
				}
				if y <= len(cuts) {
					dc[y-1] += float64(adj * dhigh[i])
				}
			}
		}
	}
	return sum
}

// orderedLogistics returns the sum of the log masses between the elements of lo and hi, and the derivatives of each.
func orderedLogistics(lo, hi, dlo, dhi []float64) float64 {
	clear(dlo)
	clear(dhi)
	args := [2]vec.Arg{{X: lo, Vector: true, D: dlo}, {X: hi, Vector: true, D: dhi}}
	return vec.OrderedLogitTerm.Run(len(lo), args[:], 1).Sum[0]
}

// closeProbits is up to which distance of cut points the mass is the density at the middle, times the distance.
const closeProbits = 1e-5

// orderedProbits takes the differences in the tail where both are small, as orderedProbit does; it changes lo and hi.
func orderedProbits(lo, hi, dlo, dhi []float64) float64 {
	var flipped [piece]bool
	var mass [piece]float64
	for i := range lo {
		if flipped[i] = lo[i]+hi[i] > 0; flipped[i] {
			lo[i], hi[i] = -hi[i], -lo[i]
		}
	}
	vec.LogPhi.Map(dlo, lo)
	vec.LogPhi.Map(dhi, hi)
	for i := range lo {
		mass[i] = dlo[i] - dhi[i]
	}
	v := mass[:len(lo)]
	vec.Log1mExp.Map(v, v)
	for i, x := range lo {
		v[i] += dhi[i]
		dlo[i] = logNormalDensity(x) - v[i]
		dhi[i] = logNormalDensity(hi[i]) - v[i]
	}
	vec.Exp.Map(dlo, dlo)
	vec.Exp.Map(dhi, dhi)
	sum := 0.0
	for i := range v {
		dlo[i] = -dlo[i]
		if hi[i]-lo[i] < closeProbits {
			v[i], dlo[i], dhi[i] = orderedProbit(lo[i], hi[i])
		}
		sum += v[i]
		if flipped[i] {
			dlo[i], dhi[i] = -dhi[i], -dlo[i]
		}
	}
	return sum
}

// logNormalDensity is the log density of a standard normal variate.
func logNormalDensity(x float64) float64 { return float64(-0.5*x*x) - HalfLogTwoPi }

// orderedProbit takes the difference in the tail where both are small.
func orderedProbit(lo, hi float64) (v, dlo, dhi float64) {
	if lo+hi > 0 {
		v, dhi, dlo = orderedProbit(-hi, -lo)
		return v, -dlo, -dhi
	}
	v, m := special.NormalLogCDF(hi)
	if math.IsInf(lo, -1) {
		return v, 0, m
	}
	if hi-lo < closeProbits {
		// The density at the middle, times the width.
		mid, w := 0.5*(lo+hi), hi-lo
		v = libm.Log(w) - float64(0.5*mid*mid) - HalfLogTwoPi + (float64(mid*mid)-1)*w*w/24
		return v, -1/w - float64(0.5*mid), 1/w - float64(0.5*mid)
	}
	logLo, _ := special.NormalLogCDF(lo)
	v += special.Log1mExp(logLo - v)
	return v, -libm.Exp(logNormalDensity(lo) - v), libm.Exp(logNormalDensity(hi) - v)
}
