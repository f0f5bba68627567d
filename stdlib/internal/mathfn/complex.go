// This file holds the functions of complex numbers. Numbers are stored as pairs
// (real, imaginary), which kernels read as complex128.

package mathfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

func complexFunctions() []*catalogue.Function {
	all := []*catalogue.Function{
		complexMap("conj", "the complex conjugate", cmplx.Conj, func(_, _, adj complex128) complex128 { return cmplx.Conj(adj) }),
		complexMap("proj", "the projection onto the Riemann sphere: all infinities become one", project,
			func(_, _, adj complex128) complex128 { return adj }),
		complexMap("minus", "the negative -z", func(z complex128) complex128 { return -z },
			func(_, _, adj complex128) complex128 { return -adj }),
		complexMap("plus", "z itself", func(z complex128) complex128 { return z },
			func(_, _, adj complex128) complex128 { return adj }),
		complexPart("abs", "the absolute value", cmplx.Abs, func(z complex128, f float64) complex128 {
			return complex(real(z)/f, imag(z)/f)
		}),
		complexPart("arg", "the angle in radians", cmplx.Phase, func(z complex128, _ float64) complex128 {
			r := cmplx.Abs(z)
			return complex(-imag(z)/r/r, real(z)/r/r)
		}),
		complexPart("norm", "the square of the absolute value",
			func(z complex128) float64 { return float64(real(z)*real(z)) + float64(imag(z)*imag(z)) },
			func(z complex128, _ float64) complex128 { return cmplx.Mul(2, z) }),
		complexPart("get_real", "the real part", func(z complex128) float64 { return real(z) },
			func(complex128, float64) complex128 { return 1 }),
		complexPart("get_imag", "the imaginary part", func(z complex128) float64 { return imag(z) },
			func(complex128, float64) complex128 { return 1i }),
	}
	all = append(all, holomorphicFunctions()...)
	all = append(all, complexBinaries()...)
	return append(all, complexMakers()...)
}

// A Pairs is a complex container: numbers with real and imaginary part in turn.
type Pairs []float64

// complexAt returns element i of an argument that was passed as complex or as real
// numbers; scalars go with every element.
func complexAt(t catalogue.Tensor, i int) complex128 {
	if len(t.Dims) == 0 {
		i = 0
	}
	if isReal(t) {
		return complex(t.X[i], 0)
	}
	return Pairs(t.X).At(i)
}

// addAdjoint adds an adjoint to element i of such an argument.
func addAdjoint(d []float64, t catalogue.Tensor, i int, z complex128) {
	if d == nil {
		return
	}
	if len(t.Dims) == 0 {
		i = 0
	}
	if isReal(t) {
		d[i] += float64(real(z)) // which may be a product
		return
	}
	Pairs(d).Add(i, z)
}

// isReal reports whether an argument holds single numbers, not pairs.
func isReal(t catalogue.Tensor) bool { return len(t.X) == transform.SizeOf(t.Dims) }

func (p Pairs) At(i int) complex128 { return complex(p[2*i], p[2*i+1]) }

func (p Pairs) Set(i int, z complex128) { p[2*i], p[2*i+1] = real(z), imag(z) }

func (p Pairs) Add(i int, z complex128) {
	p[2*i] += float64(real(z)) // which may be a product
	p[2*i+1] += float64(imag(z))
}

// complexMap is a row for an elementwise function; vjp gives the adjoint of z.
func complexMap(name, doc string, f func(z complex128) complex128, vjp func(z, f, adj complex128) complex128) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("C", name, "C z")}, Doc: doc, Section: catalogue.SectionComplex,
		Kernel: &catalogue.Kernel{
			Dims: catalogue.SameDims,
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				for i := range len(out) / 2 {
					Pairs(out).Set(i, f(complexAt(in[0], i)))
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
				for i := range len(out) / 2 {
					addAdjoint(din[0], in[0], i, vjp(complexAt(in[0], i), Pairs(out).At(i), Pairs(adj).At(i)))
				}
			},
		},
	}
}

// holomorphic is complexMap for a function with the complex derivative d.
func holomorphic(name, doc string, f func(z complex128) complex128, d func(z, f complex128) complex128) *catalogue.Function {
	return complexMap(name, doc, f, func(z, f, adj complex128) complex128 { return cmplx.Mul(cmplx.Conj(d(z, f)), adj) })
}

// complexPart is a row for an elementwise real function; d is its gradient, the
// derivatives with respect to the real and imaginary part as one number.
func complexPart(name, doc string, f func(z complex128) float64, d func(z complex128, f float64) complex128) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("CR", name, "C z")}, Doc: doc, Section: catalogue.SectionComplex,
		Kernel: &catalogue.Kernel{
			Dims: catalogue.SameDims,
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				for i := range out {
					out[i] = f(complexAt(in[0], i))
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
				for i := range out {
					g := d(complexAt(in[0], i), out[i])
					addAdjoint(din[0], in[0], i, complex(adj[i]*real(g), adj[i]*imag(g)))
				}
			},
		},
	}
}

func project(z complex128) complex128 {
	if math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) {
		return complex(math.Inf(1), math.Copysign(0, imag(z)))
	}
	return z
}

func holomorphicFunctions() []*catalogue.Function {
	root := func(z complex128) complex128 { return cmplx.Sqrt(z) }
	return []*catalogue.Function{
		holomorphic("exp", "the exponential", cmplx.Exp, func(_, f complex128) complex128 { return f }),
		holomorphic("log", "the natural logarithm, with imaginary part in (-pi, pi]", cmplx.Log,
			func(z, _ complex128) complex128 { return cmplx.Div(1, z) }),
		holomorphic("log10", "the logarithm to base 10", cmplx.Log10,
			func(z, _ complex128) complex128 { return cmplx.Div(1, cmplx.Mul(z, math.Ln10)) }),
		holomorphic("sqrt", "the square root with nonnegative real part", cmplx.Sqrt,
			func(_, f complex128) complex128 { return cmplx.Div(0.5, f) }),
		holomorphic("sin", "the sine", cmplx.Sin, func(z, _ complex128) complex128 { return cmplx.Cos(z) }),
		holomorphic("cos", "the cosine", cmplx.Cos, func(z, _ complex128) complex128 { return -cmplx.Sin(z) }),
		holomorphic("tan", "the tangent", cmplx.Tan, func(_, f complex128) complex128 { return 1 + cmplx.Mul(f, f) }),
		holomorphic("asin", "the inverse sine", cmplx.Asin, func(z, _ complex128) complex128 { return cmplx.Div(1, root(cmplx.Mul(1-z, 1+z))) }),
		holomorphic("acos", "the inverse cosine", cmplx.Acos, func(z, _ complex128) complex128 { return cmplx.Div(-1, root(cmplx.Mul(1-z, 1+z))) }),
		holomorphic("atan", "the inverse tangent", cmplx.Atan, func(z, _ complex128) complex128 { return cmplx.Div(1, 1+cmplx.Mul(z, z)) }),
		holomorphic("sinh", "the hyperbolic sine", cmplx.Sinh, func(z, _ complex128) complex128 { return cmplx.Cosh(z) }),
		holomorphic("cosh", "the hyperbolic cosine", cmplx.Cosh, func(z, _ complex128) complex128 { return cmplx.Sinh(z) }),
		holomorphic("tanh", "the hyperbolic tangent", cmplx.Tanh, func(z, _ complex128) complex128 {
			c := cmplx.Cosh(z)
			return cmplx.Div(cmplx.Div(1, c), c)
		}),
		holomorphic("asinh", "the inverse hyperbolic sine", cmplx.Asinh, func(z, _ complex128) complex128 { return cmplx.Div(1, root(1+cmplx.Mul(z, z))) }),
		holomorphic("acosh", "the inverse hyperbolic cosine", cmplx.Acosh,
			func(z, _ complex128) complex128 { return cmplx.Div(1, cmplx.Mul(root(z-1), root(z+1))) }),
		holomorphic("atanh", "the inverse hyperbolic tangent", cmplx.Atanh,
			func(z, _ complex128) complex128 { return cmplx.Div(1, cmplx.Mul(1-z, 1+z)) }),
	}
}

func complexBinaries() []*catalogue.Function {
	containers := []string{"complex_vector", "complex_row_vector", "complex_matrix"}
	scalars := func(name string) []string {
		return []string{catalogue.Signature("complex", name, "complex x", "complex y")}
	}
	forms := func(name string, like, mixed bool) []string {
		var all []string
		for _, t := range containers {
			if like {
				all = append(all, catalogue.Signature(t, name, t+" x", t+" y"))
			}
			if mixed {
				all = append(all, catalogue.Signature(t, name, t+" x", "complex y"), catalogue.Signature(t, name, "complex x", t+" y"))
			}
		}
		return all
	}
	sum := func(x, y complex128) complex128 { return x + y }
	difference := func(x, y complex128) complex128 { return x - y }
	product := cmplx.Mul
	quotient := cmplx.Div
	productD := func(x, y, _ complex128) (complex128, complex128) { return y, x }
	quotientD := func(_, y, f complex128) (complex128, complex128) { return cmplx.Div(1, y), cmplx.Div(-f, y) }
	powD := func(x, y, f complex128) (complex128, complex128) {
		if x == 0 {
			return cmplx.Mul(y, cmplx.Pow(x, y-1)), 0
		}
		return cmplx.Div(cmplx.Mul(y, f), x), cmplx.Mul(f, cmplx.Log(x))
	}
	return []*catalogue.Function{
		ComplexBinary("add", "the sum x + y", append(scalars("add"), forms("add", true, true)...), sum,
			func(_, _, _ complex128) (complex128, complex128) { return 1, 1 }),
		ComplexBinary("subtract", "the difference x - y", append(scalars("subtract"), forms("subtract", true, true)...), difference,
			func(_, _, _ complex128) (complex128, complex128) { return 1, -1 }),
		ComplexBinary("multiply", "the product x * y", scalars("multiply"), product, productD),
		ComplexBinary("divide", "the quotient x / y", scalars("divide"), quotient, quotientD),
		ComplexBinary("elt_multiply", "the products of elements, x .* y", append(scalars("elt_multiply"), forms("elt_multiply", true, true)...), product, productD),
		ComplexBinary("elt_divide", "the quotients of elements, x ./ y", append(scalars("elt_divide"), forms("elt_divide", true, true)...), quotient, quotientD),
		ComplexBinary("elt_pow", "the powers of elements, x .^ y", []string{"C elt_pow(C x, C y)"}, cmplx.Pow, powD),
		ComplexBinary("pow", "x to the power y, the principal value", []string{"C pow(C x, C y)"}, cmplx.Pow, powD),
		complexComparison("logical_eq", "1 where x equals y, else 0", true),
		complexComparison("logical_neq", "1 where x differs from y, else 0", false),
	}
}

// ComplexBinary is a row for an elementwise holomorphic function of two numbers;
// scalars go with every element of a container.
func ComplexBinary(name, doc string, signatures []string, f func(x, y complex128) complex128,
	d func(x, y, f complex128) (dx, dy complex128)) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: signatures, Doc: doc, Section: catalogue.SectionComplex,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) { return commonDims(name, in) },
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				for i := range len(out) / 2 {
					Pairs(out).Set(i, f(complexAt(in[0], i), complexAt(in[1], i)))
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
				for i := range len(out) / 2 {
					dx, dy := d(complexAt(in[0], i), complexAt(in[1], i), Pairs(out).At(i))
					a := Pairs(adj).At(i)
					addAdjoint(din[0], in[0], i, cmplx.Mul(cmplx.Conj(dx), a))
					addAdjoint(din[1], in[1], i, cmplx.Mul(cmplx.Conj(dy), a))
				}
			},
		},
	}
}

// commonDims are the sizes that the containers among the arguments share.
func commonDims(name string, in []catalogue.Tensor) ([]int, error) {
	var dims []int
	for _, t := range in {
		switch {
		case len(t.Dims) == 0:
		case dims == nil:
			dims = t.Dims
		case !slices.Equal(dims, t.Dims):
			return nil, fmt.Errorf("%s: the sizes %v and %v of the arguments differ", name, dims, t.Dims)
		}
	}
	return dims, nil
}

func complexComparison(name, doc string, equal bool) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("int", name, "complex x", "complex y")}, Doc: doc, Section: catalogue.SectionComplex,
		Kernel: &catalogue.Kernel{Dims: catalogue.ScalarDims, Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = container.BoolNumber((complexAt(in[0], 0) == complexAt(in[1], 0)) == equal)
			return nil
		}},
	}
}

// complexMakers build complex numbers from real ones.
func complexMakers() []*catalogue.Function {
	at := func(t catalogue.Tensor, i int) float64 {
		if len(t.Dims) == 0 {
			return t.X[0]
		}
		return t.X[i]
	}
	add := func(d []float64, t catalogue.Tensor, i int, v float64) {
		if len(t.Dims) == 0 {
			i = 0
		}
		if d != nil {
			d[i] += v
		}
	}
	return []*catalogue.Function{
		{
			Name: "to_complex", Signatures: []string{"complex to_complex()", "C to_complex(T re)", "C to_complex(T re, T im)"},
			Doc: "the complex number with real part re and imaginary part im (0 where left out)", Section: catalogue.SectionComplex,
			Kernel: &catalogue.Kernel{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return commonDims("to_complex", in) },
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					clear(out)
					for part, t := range in {
						for i := range len(out) / 2 {
							out[2*i+part] = at(t, i)
						}
					}
					return nil
				},
				VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
					for part, t := range in {
						for i := range len(out) / 2 {
							add(din[part], t, i, adj[2*i+part])
						}
					}
				},
			},
		},
		{
			Name: "polar", Signatures: []string{"complex polar(real r, real theta)"}, Section: catalogue.SectionComplex,
			Doc: "the complex number with absolute value r and angle theta in radians",
			Kernel: &catalogue.Kernel{
				Dims: catalogue.ScalarDims,
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					s, c := libm.Sincos(in[1].X[0])
					out[0], out[1] = in[0].X[0]*c, in[0].X[0]*s
					return nil
				},
				VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
					s, c := libm.Sincos(in[1].X[0])
					add(din[0], in[0], 0, float64(adj[0]*c)+float64(adj[1]*s))
					add(din[1], in[1], 0, float64(adj[1]*out[0])-float64(adj[0]*out[1]))
				},
			},
		},
	}
}
