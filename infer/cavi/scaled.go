// This file has the factor of real numbers together with their precision or variance.

package cavi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// scaledNormal is the normal-gamma distribution: the last number t is gamma or inverse gamma, and the
// others given t normal with a mean that does not depend on it and a covariance in proportion to 1/t or t.
type scaledNormal struct {
	block  *infer.FactorBlock
	reals  infer.FactorBlock // the real numbers at precision 1
	scale  infer.FactorBlock // t alone: its number or the inverse, then its logarithm
	normal factor
	gamma  *gammaFactor
	real   []int // of each statistic: its place among those of reals, or -1
	mean   []float64
	sd     []float64
	at     []float64 // natural parameters, or expectations, of reals
}

func newScaled(b *infer.FactorBlock) (*scaledNormal, error) {
	n := b.Size - 1
	f := &scaledNormal{block: b, mean: make([]float64, n), sd: make([]float64, n)}
	f.reals = infer.FactorBlock{Name: b.Name, Support: infer.Line, Size: n}
	power := 1.0
	for _, s := range b.Statistics {
		var own infer.Statistic
		for _, x := range s {
			switch {
			case x.Index < n:
				own = append(own, x)
			case x.Func == infer.Number:
				power = x.Power
			}
		}
		f.real = append(f.real, -1)
		if own != nil {
			f.real[len(f.real)-1] = len(f.reals.Statistics)
			f.reals.Statistics = append(f.reals.Statistics, own)
		}
	}
	f.scale = infer.FactorBlock{Name: b.Name, Support: infer.Positive, Size: 1,
		Statistics: []infer.Statistic{{{Func: infer.Number, Power: power}}, {{Func: infer.LogNumber, Power: 1}}}}
	f.at = make([]float64, len(f.reals.Statistics))
	f.gamma = newGamma(&f.scale, power < 0)
	var err error
	f.normal, err = newFactor(&f.reals, false)
	return f, err
}

func (f *scaledNormal) form() string { return "normal-" + f.gamma.form() }

func (f *scaledNormal) set(natural []float64) error {
	number, log := 0.0, -f.gamma.sign()*float64(len(f.mean))/2
	for k, r := range f.real {
		switch s := f.block.Statistics[k]; {
		case r >= 0:
			f.at[r] = natural[k]
		case s[0].Func == infer.LogNumber:
			log += natural[k]
		default:
			number += natural[k]
		}
	}
	if err := f.normal.set(f.at); err != nil {
		return err
	}
	f.normal.moments(f.mean, f.sd)
	for r, s := range f.reals.Statistics {
		if i, j := pair(s); j < 0 {
			number += float64(f.at[r] * f.mean[i] / 2) // half the mean's square by the precision
		}
	}
	return f.gamma.set([]float64{number, log})
}

func (f *scaledNormal) expect(out []float64) {
	var scale [2]float64
	f.gamma.expect(scale[:])
	f.normal.expect(f.at)
	for k, r := range f.real {
		switch s := f.block.Statistics[k]; {
		case r >= 0:
			i, j := pair(f.reals.Statistics[r])
			if j < 0 {
				out[k] = scale[0] * f.mean[i]
			} else {
				out[k] = f.at[r] + float64((scale[0]-1)*f.mean[i]*f.mean[j])
			}
		case s[0].Func == infer.LogNumber:
			out[k] = scale[1]
		default:
			out[k] = scale[0]
		}
	}
}

func (f *scaledNormal) entropy() float64 {
	var scale [2]float64
	f.gamma.expect(scale[:])
	return f.gamma.entropy() + f.normal.entropy() - float64(f.gamma.sign()*float64(len(f.mean))/2*scale[1])
}

// moments have the standard deviations of the real numbers at the expected precision.
func (f *scaledNormal) moments(mean, sd []float64) {
	n := len(f.mean)
	copy(mean, f.mean)
	f.gamma.moments(mean[n:], sd[n:])
	root := math.Sqrt(f.gamma.rate / f.gamma.shape)
	for i, v := range f.sd {
		sd[i] = v * root
	}
}

func (f *scaledNormal) density() blockDensity {
	d := &scaledDensity{append([]float64(nil), f.mean...), f.normal.density(), f.gamma.density(), f.gamma.sign()}
	return mapped(f.block, d)
}

// scaledDensity is the density of the numbers.
type scaledDensity struct {
	mean         []float64
	normal, logT blockDensity
	sign         float64
}

// spread writes to the mean plus the deviations of x from it times r.
func (d *scaledDensity) spread(x, to []float64, r float64) {
	for i, m := range d.mean {
		to[i] = m + float64((x[i]-m)*r)
	}
}

func (d *scaledDensity) logDensity(x, grad []float64) float64 {
	n := len(d.mean)
	u := []float64{libm.Log(x[n])}
	half := d.sign * u[0] / 2 // the log of the precision's root
	root := libm.Exp(half)
	z := make([]float64, n)
	d.spread(x, z, root)
	if grad == nil {
		return d.logT.logDensity(u, nil) - u[0] + float64(float64(n)*half) + d.normal.logDensity(z, nil)
	}
	lp := float64(float64(n)*half) + d.normal.logDensity(z, grad[:n])
	by := float64(n) // the derivative by half
	for i, m := range d.mean {
		grad[i] *= root
		by += float64(grad[i] * (x[i] - m))
	}
	lp += d.logT.logDensity(u, grad[n:]) - u[0]
	grad[n] = (grad[n] - 1 + float64(d.sign*by/2)) / x[n]
	return lp
}

func (d *scaledDensity) draw(r *rand.Rand, x []float64) {
	n := len(d.mean)
	d.logT.draw(r, x[n:])
	u := x[n]
	x[n] = libm.Exp(u)
	d.normal.draw(r, x[:n])
	d.spread(x, x, libm.Exp(-d.sign*u/2))
}
