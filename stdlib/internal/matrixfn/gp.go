// Rows of covariance matrices of Gaussian processes: gp_exp_quad_cov and the other
// gp_*_cov.

package matrixfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const gpSection = "Gaussian Process Covariance Functions"

// A stationary kernel is sigma^2 f(s) with s the squared distance in units of the
// length scale.
type stationary struct {
	name, doc string
	f         *autodiff.Op // its derivative is 0 at s = 0 where it is not finite
	quad      bool         // f is exp(-s/2), for which there are vector instructions
}

func gpFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, k := range []stationary{
		{"gp_exp_quad_cov", "exponentiated quadratic", catalogue.Unary("exp_quad",
			func(s float64) float64 { return libm.Exp(-0.5 * s) },
			func(_, f float64) float64 { return -0.5 * f }), true},
		{"gp_exponential_cov", "exponential (Matern 1/2)", catalogue.Unary("matern12",
			func(s float64) float64 { return libm.Exp(-math.Sqrt(s)) },
			func(s, f float64) float64 {
				if s == 0 {
					return 0
				}
				return -0.5 * f / math.Sqrt(s)
			}), false},
		{"gp_matern32_cov", "Matern 3/2", Matern32, false},
		{"gp_matern52_cov", "Matern 5/2", Matern52, false},
	} {
		all = append(all, k.function())
	}
	return append(all, periodicCov(), dotProductCov())
}

// The Matern correlations as functions of the squared distance.
var (
	Matern32 = maternOp("matern32", 3, 0)
	Matern52 = maternOp("matern52", 5, 1.0/3)
)

// maternOp is (1 + r + c r^2) exp(-r) with r = sqrt(nu2 s), whose slope is -nu2/2 (1 - 2c + c r) exp(-r).
func maternOp(name string, nu2, c float64) *autodiff.Op {
	root := func(s float64) float64 { return math.Sqrt(float64(nu2 * s)) }
	factor := func(r float64) float64 { return 1 + r + float64(c*float64(r*r)) }
	return &autodiff.Op{
		Name: name,
		F1: func(s float64) float64 {
			r := root(s)
			return factor(r) * vec.Exp.At(-r)
		},
		D1: func(s, f float64) float64 {
			r := root(s)
			return -nu2 / 2 * f * (1 - float64(2*c) + float64(c*r)) / factor(r)
		},
		Vector: func(dst, s []float64) {
			var work [256]float64
			for len(dst) > 0 {
				r := work[:min(len(dst), len(work))]
				for i := range r {
					r[i] = -root(s[i])
				}
				vec.Exp.Map(dst[:len(r)], r)
				for i, v := range r {
					dst[i] *= factor(-v)
				}
				dst, s = dst[len(r):], s[len(r):]
			}
		},
		Slope: func(g *autodiff.Graph, s, _ autodiff.Node) autodiff.Node {
			b := catalogue.Formula{G: g}
			r := b.Map1(autodiff.Sqrt, b.Mul(b.Num(nu2), s))
			return b.Mul(b.Add(b.Num(nu2*(c-0.5)), b.Mul(b.Num(-0.5*nu2*c), r)), b.Map1(autodiff.Exp, b.Neg(r)))
		},
	}
}

// gpSignatures returns the forms with one and with two arrays of locations; rest are the
// parameters after them. Only arrays of vectors have a length scale for each dimension.
func gpSignatures(name string, rest ...string) []string {
	var all []string
	for _, params := range rest {
		for _, x := range []string{"real", "vector"} {
			if x == "real" && params != rest[0] {
				continue
			}
			all = append(all,
				fmt.Sprintf("matrix %s(array[] %s x, %s)", name, x, params),
				fmt.Sprintf("matrix %s(array[] %s x1, array[] %s x2, %s)", name, x, x, params))
		}
	}
	return all
}

// locations tells the arguments of a gp_*_cov apart: one or two arrays of locations, then
// the parameters, of which there are params.
type locations struct {
	x1, x2     []float64
	n1, n2     int
	Dim        int // numbers in a location
	I1, I2, ip int // positions of the arguments; i1 == i2 for one array
}

func Locate(in []catalogue.Tensor, params int) locations {
	l := locations{ip: len(in) - params}
	l.I2 = l.ip - 1
	a, b := in[l.I1], in[l.I2]
	l.x1, l.n1, l.x2, l.n2 = a.X, a.Dims[0], b.X, b.Dims[0]
	l.Dim = 1
	if len(a.Dims) == 2 {
		l.Dim = a.Dims[1]
	}
	return l
}

func (l locations) one() bool { return l.I1 == l.I2 }

// at returns the locations of row i and column j.
func (l locations) at(i, j int) (a, b []float64) {
	return l.x1[i*l.Dim : (i+1)*l.Dim], l.x2[j*l.Dim : (j+1)*l.Dim]
}

// gpDims is the Dims of all of them.
func gpDims(name string, params int) func(in []catalogue.Tensor) ([]int, error) {
	return func(in []catalogue.Tensor) ([]int, error) {
		l := Locate(in, params)
		if b := in[l.I2]; len(b.Dims) == 2 && l.n1 > 0 && l.n2 > 0 && b.Dims[1] != l.Dim {
			return nil, container.SizeError(name, "the size of the vectors in x1", l.Dim, "that in x2", b.Dims[1])
		}
		last := in[len(in)-1]
		if params == 2 && len(last.Dims) == 1 && l.n1 > 0 && last.Dims[0] != l.Dim {
			return nil, container.SizeError(name, "the number of length scales", last.Dims[0], "the size of the vectors in x", l.Dim)
		}
		return []int{l.n1, l.n2}, nil
	}
}

// gpCheck checks locations and parameters (named names), which must be positive and
// finite.
func gpCheck(fn string, in []catalogue.Tensor, l locations, names ...string) error {
	for k, name := range names {
		for _, v := range in[l.ip+k].X {
			if !(v > 0) || math.IsInf(v, 1) {
				return catalogue.DomainErrorf(fn, "%s is %v, but must be positive and finite", name, v)
			}
		}
	}
	for _, x := range [2][]float64{l.x1, l.x2} {
		if slices.ContainsFunc(x, math.IsNaN) {
			return catalogue.DomainErrorf(fn, "a location is not a number")
		}
	}
	return nil
}

func (k stationary) function() *catalogue.Function {
	return &catalogue.Function{
		Name:       k.name,
		Signatures: gpSignatures(k.name, "real sigma, real length_scale", "real sigma, array[] real length_scale"),
		Doc:        "the covariance matrix of the " + k.doc + " kernel",
		Section:    gpSection,
		Kernel: &catalogue.Kernel{
			Dims:  gpDims(k.name, 2),
			Work:  func(in []catalogue.Tensor) int { return 2 * in[0].Dims[0] }, // two columns
			Value: k.value,
			VJP:   k.vjp,
		},
	}
}

// scaledSquare is the squared distance in units of the length scales.
func scaledSquare(a, b, scale []float64) float64 {
	sum := 0.0
	if len(scale) == 1 {
		for i, v := range a {
			d := v - b[i]
			sum += float64(d * d)
		}
		return sum / (scale[0] * scale[0])
	}
	for i, v := range a {
		d := (v - b[i]) / scale[i]
		sum += float64(d * d)
	}
	return sum
}

func (k stationary) value(in []catalogue.Tensor, out, _ []float64) error {
	l := Locate(in, 2)
	if err := gpCheck(k.name, in, l, "sigma", "length_scale"); err != nil {
		return err
	}
	sigma2, scale := in[l.ip].X[0]*in[l.ip].X[0], in[l.ip+1].X
	for j := 0; j < l.n2; j++ {
		begin := 0
		if l.one() {
			begin = j
		}
		col := out[j*l.n1+begin : (j+1)*l.n1]
		l.scaledSquares(begin, j, scale, col)
		if k.quad {
			expQuad(sigma2, col)
			continue
		}
		for i, s := range col {
			col[i] = sigma2 * k.f.F1(s)
		}
	}
	if l.one() {
		dense.MirrorLower(dense.Of(l.n1, l.n1, out))
	}
	return nil
}

// onLine reports whether the locations are numbers, which one length scale serves.
func (l locations) onLine(scale []float64) bool { return l.Dim == 1 && len(scale) == 1 }

// Squares are the squared distances of all pairs, dimension by dimension.
func (l locations) Squares() []float64 {
	n := l.n1 * l.n2
	all := make([]float64, n*l.Dim)
	for k := range n {
		a, b := l.at(k%l.n1, k/l.n1)
		for d, v := range a {
			all[d*n+k] = float64((v - b[d]) * (v - b[d]))
		}
	}
	return all
}

// scaledSquares writes the squared distances, in units of the length scales, of the
// locations from i on and location j.
func (l locations) scaledSquares(i, j int, scale, out []float64) {
	if l.onLine(scale) {
		inv, x := [1]float64{1 / (scale[0] * scale[0])}, l.x1[i:]
		vec.SubVS.Map(out, x, l.x2[j:])
		vec.Square.Map(out, out)
		vec.MulVS.Map(out, out, inv[:])
		return
	}
	for at := range out {
		a, b := l.at(i+at, j)
		out[at] = scaledSquare(a, b, scale)
	}
}

// expQuad turns squared distances s into sigma2 exp(-s/2).
func expQuad(sigma2 float64, s []float64) {
	half, by := [1]float64{-0.5}, [1]float64{sigma2}
	vec.MulVS.Map(s, s, half[:])
	vec.Exp.Map(s, s)
	vec.MulVS.Map(s, s, by[:])
}

func (k stationary) vjp(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
	l := Locate(in, 2)
	sigma, scale := in[l.ip].X[0], in[l.ip+1].X
	if din[l.ip] != nil {
		din[l.ip][0] += float64(2 / sigma * catalogue.Dot(adj, out))
	}
	if din[l.I1] == nil && din[l.I2] == nil && din[l.ip+1] == nil {
		return
	}
	if k.quad && l.onLine(scale) {
		l.addLineQuad(scale[0], out, adj, din, work)
		return
	}
	inv2, sigma2 := 1/(sigma*sigma), sigma*sigma
	for j := 0; j < l.n2; j++ {
		begin := 0
		if l.one() {
			begin = j + 1
		}
		for i := begin; i < l.n1; i++ {
			at := i + j*l.n1
			g := adj[at]
			if l.one() {
				g += adj[j+i*l.n1]
			}
			a, b := l.at(i, j)
			slope := k.f.D1(scaledSquare(a, b, scale), out[at]*inv2)
			l.addDistance(i, j, 2*g*sigma2*slope, scale, din)
		}
	}
}

// addLineQuad adds the derivatives of the exponentiated quadratic kernel of numbers, a
// column at a time: with d the differences to location j, by element of the result
// -out*d/scale^2 to the first location, as much with the other sign to location j, and
// out*d^2/scale^3 to the length scale. There is room for two columns in work.
func (l locations) addLineQuad(scale float64, out, adj []float64, din [][]float64, work []float64) {
	dx1, dx2, dscale := din[l.I1], din[l.I2], din[l.ip+1]
	g, d := work[:l.n1], work[l.n1:2*l.n1]
	inv, total := 1/(scale*scale), 0.0
	for j := 0; j < l.n2; j++ {
		at := j * l.n1
		vec.SubVS.Map(d, l.x1, l.x2[j:])
		vec.MulVV.Map(g, adj[at:at+l.n1], out[at:at+l.n1])
		vec.MulVV.Map(g, g, d)
		if dscale != nil {
			total += catalogue.Dot(g, d)
		}
		if dx1 != nil {
			catalogue.Axpy(-inv, g, dx1)
		}
		if dx2 != nil {
			dx2[j] += float64(inv * vec.Sum(g))
		}
	}
	if dscale != nil {
		dscale[0] += total * inv / scale
	}
}

// addDistance adds the derivative of the scaled squared distance of locations i and j,
// times g/2.
func (l locations) addDistance(i, j int, g float64, scale []float64, din [][]float64) {
	a, b := l.at(i, j)
	for c, v := range a {
		s := transform.ArgAt(scale, c)
		d := (v - b[c]) / s
		gd := g * d / s
		if din[l.I1] != nil {
			din[l.I1][i*l.Dim+c] += gd
		}
		if din[l.I2] != nil {
			din[l.I2][j*l.Dim+c] -= gd
		}
		if din[l.ip+1] != nil {
			transform.AddArgAt(din[l.ip+1], c, -gd*d)
		}
	}
}

// periodicCov is sigma^2 exp(-2 sin^2(pi |a - b| / period) / length_scale^2).
func periodicCov() *catalogue.Function {
	const name = "gp_periodic_cov"
	// parts returns the distance, sin and cos of its phase.
	parts := func(a, b []float64, period float64) (r, s, c float64) {
		r = math.Sqrt(scaledSquare(a, b, []float64{1}))
		s, c = libm.Sincos(math.Pi * r / period)
		return r, s, c
	}
	return &catalogue.Function{
		Name:       name,
		Signatures: gpSignatures(name, "real sigma, real length_scale, real period"),
		Doc:        "the covariance matrix of the periodic kernel",
		Section:    gpSection,
		Kernel: &catalogue.Kernel{
			Dims: gpDims(name, 3),
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				l := Locate(in, 3)
				if err := gpCheck(name, in, l, "sigma", "length_scale", "period"); err != nil {
					return err
				}
				sigma, scale, period := in[l.ip].X[0], in[l.ip+1].X[0], in[l.ip+2].X[0]
				for k := range out {
					a, b := l.at(k%l.n1, k/l.n1)
					_, s, _ := parts(a, b, period)
					out[k] = sigma * sigma * libm.Exp(-2*s*s/(scale*scale))
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
				l := Locate(in, 3)
				scale, period := in[l.ip+1].X[0], in[l.ip+2].X[0]
				if din[l.ip] != nil {
					din[l.ip][0] += float64(2 / in[l.ip].X[0] * catalogue.Dot(adj, out))
				}
				for k, v := range out {
					i, j := k%l.n1, k/l.n1
					a, b := l.at(i, j)
					r, s, c := parts(a, b, period)
					g := adj[k] * v
					if din[l.ip+1] != nil {
						din[l.ip+1][0] += g * 4 * s * s / (scale * scale * scale)
					}
					phase := -4 * s * c / (scale * scale) * g // by the phase pi r / period
					if din[l.ip+2] != nil {
						din[l.ip+2][0] -= phase * math.Pi * r / (period * period)
					}
					if r == 0 || din[l.I1] == nil && din[l.I2] == nil {
						continue
					}
					byR := phase * math.Pi / period / r
					for d := range a {
						if din[l.I1] != nil {
							din[l.I1][i*l.Dim+d] += float64(byR * (a[d] - b[d]))
						}
						if din[l.I2] != nil {
							din[l.I2][j*l.Dim+d] -= float64(byR * (a[d] - b[d]))
						}
					}
				}
			},
		},
	}
}

// dotProductCov is sigma^2 + a'b.
func dotProductCov() *catalogue.Function {
	const name = "gp_dot_prod_cov"
	return &catalogue.Function{
		Name:       name,
		Signatures: gpSignatures(name, "real sigma"),
		Doc:        "the covariance matrix of the dot product kernel",
		Section:    gpSection,
		Kernel: &catalogue.Kernel{
			Dims: gpDims(name, 1),
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				l := Locate(in, 1)
				sigma := in[l.ip].X[0]
				if !(sigma >= 0) || math.IsInf(sigma, 1) {
					return catalogue.DomainErrorf(name, "sigma is %v, but must be non-negative and finite", sigma)
				}
				if err := gpCheck(name, in, l); err != nil {
					return err
				}
				for k := range out {
					a, b := l.at(k%l.n1, k/l.n1)
					out[k] = float64(sigma*sigma) + catalogue.Dot(a, b)
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				l := Locate(in, 1)
				for k, g := range adj {
					i, j := k%l.n1, k/l.n1
					a, b := l.at(i, j)
					if din[l.ip] != nil {
						din[l.ip][0] += float64(2 * g * in[l.ip].X[0])
					}
					if din[l.I1] != nil {
						catalogue.Axpy(g, b, din[l.I1][i*l.Dim:])
					}
					if din[l.I2] != nil {
						catalogue.Axpy(g, a, din[l.I2][j*l.Dim:])
					}
				}
			},
		},
	}
}
