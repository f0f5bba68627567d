// The elementwise functions and their dispatch.

package vec

// A Func is an elementwise function of one argument.
type Func uint8

// The functions. Exp, Expm1, Log and Log1p are within 1 unit in the last place of the true
// value over their whole domain, as are Sin and Cos; Log1pExp, Log1mExp, InvLogit, Tanh and Erf
// within 2, InvPhi within 3, Phi within 4, and LogPhi, Hazard and Erfc within 5. Lgamma and Digamma
// are for positive normal numbers and within 32 and 8 there, but at least of 1. The others are
// correctly rounded.
const (
	Exp      Func = iota // e^x
	Expm1                // e^x - 1
	Log                  // natural logarithm
	Log1p                // log(1 + x)
	Log1pExp             // log(1 + e^x)
	Log1mExp             // log(1 - e^x)
	InvLogit             // 1/(1 + e^-x)
	Tanh                 // hyperbolic tangent
	Phi                  // distribution function of the standard normal distribution
	LogPhi               // its logarithm
	Hazard               // the derivative of LogPhi
	InvPhi               // the inverse of Phi
	Erf                  // the error function
	Erfc                 // 1 - erf(x)
	Sin                  // sine
	Cos                  // cosine
	Lgamma               // the logarithm of the gamma function
	Digamma              // its derivative
	Sqrt                 // square root
	Inv                  // 1/x
	Neg                  // -x
	Square               // x*x
	numFuncs
)

// A Binary is an elementwise operation of two arguments.
type Binary uint8

// The operations. The letters say which arguments are vectors and which is one scalar. Powers
// are within 1 unit in the last place, with the special cases of math.Pow; logarithms of the beta
// function, for arguments between 1e-3 and 1e8, within 12, but at least of 1; the others are
// correctly rounded.
const (
	AddVV     Binary = iota // x[i] + y[i]
	AddVS                   // x[i] + y
	SubVV                   // x[i] - y[i]
	SubVS                   // x[i] - y
	SubSV                   // x - y[i]
	MulVV                   // x[i] * y[i]
	MulVS                   // x[i] * y
	DivVV                   // x[i] / y[i]
	DivVS                   // x[i] / y
	DivSV                   // x / y[i]
	ShiftVV                 // the greater of x[i] and y[i], x[i] where they do not compare; 0 where that is not finite
	PowVV                   // x[i]^y[i]
	PowVS                   // x[i]^y
	PowSV                   // x^y[i]
	LbetaVV                 // log(B(x[i], y[i]))
	LbetaVS                 // log(B(x[i], y))
	LargerVV                // the greater of x[i] and y[i], or the number beside NaN
	LargerVS                // of x[i] and y
	SmallerVV               // the smaller of x[i] and y[i], or the number beside NaN
	SmallerVS               // of x[i] and y
	EqualVV                 // 1 where x[i] = y[i], else 0
	EqualVS                 // where x[i] = y
	numBinaries
)

// scalars are the definitions.
var scalars = [numFuncs]func(float64) float64{
	Exp: exp, Expm1: expm1, Log: log, Log1p: log1p, Log1pExp: log1pExp, Log1mExp: log1mExp, InvLogit: invLogit, Tanh: tanh,
	Phi: normalCDF, LogPhi: normalLogCDF, Hazard: normalHazard, InvPhi: normalQuantile, Erf: erf, Erfc: erfc, Sin: sin, Cos: cos,
	Lgamma: lgamma, Digamma: digamma,
	Sqrt: sqrt, Inv: inv, Neg: neg, Square: square,
}

// few is the greatest length at which scalar code is faster than starting a vector kernel.
const few = 2

// Map sets dst[i] to f(x[i]). Panics if x is shorter than dst.
func (f Func) Map(dst, x []float64) {
	x = x[:len(dst)]
	if entry := kernels.unary[f]; entry != 0 && len(dst) > few && f.reaches(x) {
		call1(&dst[0], &x[0], len(dst), entry)
		return
	}
	g := scalars[f]
	for i, v := range x {
		dst[i] = g(v)
	}
}

// reaches reports whether the kernel can do all of x.
func (f Func) reaches(x []float64) bool {
	return f != Sin && f != Cos || Within(x, -nearest, nearest)
}

// At returns f(x), the same bits as Map.
func (f Func) At(x float64) float64 { return scalars[f](x) }

// Map sets dst to the operation of x and y, of which a scalar is the first element.
// Panics if a vector is shorter than dst.
func (f Binary) Map(dst, x, y []float64) {
	if len(dst) == 0 {
		return
	}
	stepX, stepY := 1, 1
	switch f {
	case AddVS, SubVS, MulVS, DivVS, PowVS, LbetaVS, LargerVS, SmallerVS, EqualVS:
		stepY = 0
	case SubSV, DivSV, PowSV:
		stepX = 0
	}
	last := len(dst) - 1
	_, _ = x[stepX*last], y[stepY*last]
	if entry := kernels.binary[f]; entry != 0 {
		call2(&dst[0], &x[0], &y[0], len(dst), entry)
		return
	}
	binaryPortable(f, dst, x, y)
}

// Within reports whether all elements lie between lo and hi, both included; a NaN does not.
func Within(x []float64, lo, hi float64) bool {
	return len(x) == 0 || within(&x[0], len(x), lo, hi)
}

// Name says which instructions are used: "AVX-512", "AVX2" or "portable Go".
func Name() string { return kernels.name }

// Portable says that no vector instructions are used.
func Portable() bool { return kernels == portable }

// A set is the implementation for one kind of processor: addresses of kernels, which
// take the arguments of call1 and call2. Portable Go has none.
type set struct {
	name   string
	unary  [numFuncs]uintptr
	binary [numBinaries]uintptr
	terms  [numTerms]uintptr
	vector int // bytes of a vector
	half   int // what is between the halves of 8 accumulators, 0 where they are one vector
}

var portable = &set{name: "portable Go", vector: 8}

// kernels is the best set that this processor can run. It never changes.
var kernels = sets()[0]
