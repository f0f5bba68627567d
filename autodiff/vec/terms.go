// Sums of log densities over many variates, with derivatives, in one pass.

package vec

import "unsafe"

// A Term is a log density of one variate. Its arguments are vectors or single numbers,
// its parameters single numbers.
type Term uint8

// The terms. In all, slope is what derivatives are multiplied by.
const (
	// NormalTerm has arguments y and mu, parameters 1/sigma and slope/sigma, and sums the
	// squares of the standardised variates.
	NormalTerm Term = iota
	// NormalScaleTerm has arguments y, mu and sigma and the parameter slope, and sums the
	// squares and log(sigma). Scales are positive normal numbers.
	NormalScaleTerm
	// StudentTerm has arguments y, mu and sigma and parameters nu, 1/nu, slope and
	// slope*(nu+1). With w = ((y-mu)/sigma)^2/nu it sums w/(1+w), log(1+w) and log(sigma). Locations are below 1e50 in size, scales between 1e-90 and 1e90, nu
	// between 0.01 and 1e4.
	StudentTerm
	// LognormalTerm has arguments y and mu, parameters 1/sigma, slope and slope/sigma, and
	// sums the squares of the standardised logarithms and the logarithms. As in all that
	// follow, what a logarithm is taken of is a positive normal number.
	LognormalTerm
	// LogisticTerm has arguments y and mu, parameters 1/sigma and slope/sigma. With z the
	// standardised variate it sums |z|, log(1+e^-|z|) and z*tanh(z/2).
	LogisticTerm
	// DoubleExponentialTerm has arguments y and mu, parameters 1/sigma and slope/sigma, and
	// sums |y-mu|/sigma.
	DoubleExponentialTerm
	// WeibullTerm has arguments y and sigma, parameters alpha and slope. With
	// l = log(y/sigma) it sums alpha*l-log(y)-e^(alpha*l) and l*(1-e^(alpha*l)).
	WeibullTerm
	// ExponentialTerm has arguments y and beta and the parameter slope, and sums beta*y and
	// log(beta).
	ExponentialTerm
	// GammaTerm has arguments y and beta, parameters alpha, 1/alpha and slope. With
	// r = beta*y/alpha it sums log(r)+1-r, log(r) and log(y).
	GammaTerm
	// BernoulliTerm has arguments theta and y and the parameter slope, and sums the log
	// mass.
	BernoulliTerm
	// BinomialTerm has arguments theta, successes and trials and the parameter slope, and
	// sums the log mass without the binomial coefficient.
	BinomialTerm
	// BinomialLogitTerm is the same with log odds for theta.
	BinomialLogitTerm
	// PoissonTerm has arguments lambda and a count and the parameter slope, and sums the
	// log mass without the factorial.
	PoissonTerm
	// PoissonLogTerm is the same with log(lambda), below 700, for lambda.
	PoissonLogTerm
	// NegBinomialTerm has arguments eta, the log mean, and a count k, parameters phi,
	// log(phi) and slope. With p = 1/(1+phi*e^-eta) it sums k*log(p)+phi*log(1-p),
	// -log(1-p), and the derivatives in eta without slope.
	NegBinomialTerm
	// NegBinomialPhiTerm has arguments eta, phi and k and the parameter slope, and sums the
	// first of NegBinomialTerm's sums.
	NegBinomialPhiTerm
	// OrderedLogitTerm has arguments lo and hi, which may be infinite, and the parameter
	// slope, and sums log(F(hi)-F(lo)) for the logistic distribution function F.
	OrderedLogitTerm
	// LbetaTerm has positive arguments a and b and the parameter slope, and sums log(B(a, b)).
	LbetaTerm
	lgammaPsiTerm
	numTerms
)

const (
	maxArgs   = 3
	maxOuts   = 3
	maxParams = 4
	maxSums   = 5
)

// A block is what a kernel of a term works on; gen/terms.go knows where its parts lie.
// Steps are bytes from one vector of lanes to the next, 0 for single numbers. Derivatives in
// those are added up in 8 lanes, which for AVX2 are two places in turns: after each vector
// skip becomes turn - skip.
type block struct {
	n      int
	x      [maxArgs]*float64
	step   [maxArgs]int
	out    [maxOuts]*float64
	skip   [maxOuts]int
	turn   [maxOuts]int
	params [maxParams][4]float64 // copies, as many as AVX2 has lanes
	acc    [maxSums][8]float64
}

// An Arg is an argument of a sum of terms: a vector, or else its first element for all
// variates.
type Arg struct {
	X      []float64
	Vector bool
	// D, where it is not nil, gets a vector's derivatives added. The sum of a single number's
	// is in the result.
	D []float64
}

// Terms is what a sum of terms gives: its sums, and the derivatives in arguments that
// are single numbers.
type Terms struct {
	Sum [maxSums]float64
	D   [maxOuts]float64
}

// Run sums a term over n variates.
func (f Term) Run(n int, args []Arg, params ...float64) (result Terms) {
	var b block
	var single [maxArgs][8]float64 // copies of single numbers
	var outs [maxOuts][8]float64   // derivatives in single numbers, or in what wants none
	info := &termInfos[f]
	for j := range args {
		if !args[j].Vector {
			fill(single[j][:], args[j].X[0])
			b.x[j] = &single[j][0]
		}
		if j < info.outs {
			b.out[j], b.skip[j] = &outs[j][0], kernels.half
		}
	}
	for i, v := range params {
		fill(b.params[i][:], v)
	}
	entry := kernels.terms[f]
	for lo := 0; lo < n; lo += b.n {
		for j := range args {
			if a := &args[j]; a.Vector {
				b.x[j], b.step[j] = &a.X[lo], kernels.vector
				if j < info.outs && a.D != nil {
					b.out[j], b.skip[j], b.turn[j] = &a.D[lo], kernels.vector, 2*kernels.vector
				}
			}
		}
		b.n = min(n-lo, 8*factors)
		b.start(info.reduce)
		if entry != 0 {
			callBlock(&b, entry)
		} else {
			b.portable(f)
		}
		b.collect(info.reduce, &result.Sum)
	}
	for j := range info.outs {
		result.D[j] = fold(&outs[j])
	}
	return result
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// LgammaPsi sets lg and psi to the logarithm of the gamma function of positive normal
// numbers below 1e300 and its derivative. Errors are some units in the last place, but at
// least of 8. Panics if lg or psi is shorter than x.
func LgammaPsi(lg, psi, x []float64) {
	lg, psi = lg[:len(x)], psi[:len(x)]
	clear(lg)
	clear(psi)
	args := [2]Arg{{X: x, Vector: true, D: lg}, {X: x, Vector: true, D: psi}}
	lgammaPsiTerm.Run(len(x), args[:])
}

// LbetaPsi sets da and db to the derivatives of log(B(a, b)), digamma(a) - digamma(a+b) and the
// like. An a or b of one element is meant for all. Errors are as those of LbetaVV, but where a
// or b is below 1 of the size of digamma there. Panics if db is shorter than da.
func LbetaPsi(da, db, a, b []float64) {
	const piece = 64
	var x, y [piece]float64
	if len(a) == 1 {
		fill(x[:], a[0])
	}
	if len(b) == 1 {
		fill(y[:], b[0])
	}
	clear(da)
	clear(db[:len(da)])
	for lo := 0; lo < len(da); lo += piece {
		hi := min(lo+piece, len(da))
		args := [2]Arg{{X: x[:], Vector: true, D: da[lo:hi]}, {X: y[:], Vector: true, D: db[lo:hi]}}
		if len(a) > 1 {
			args[0].X = a[lo:hi]
		}
		if len(b) > 1 {
			args[1].X = b[lo:hi]
		}
		LbetaTerm.Run(hi-lo, args[:], 1)
	}
}

// start clears the accumulators.
func (b *block) start(reduce string) {
	for i, c := range reduce {
		b.acc[i] = [8]float64{}
		if c == '*' {
			b.acc[i] = [8]float64{1, 1, 1, 1, 1, 1, 1, 1}
		}
	}
}

// collect adds what the accumulators hold to the sums.
func (b *block) collect(reduce string, sums *[maxSums]float64) {
	k := 0
	for i := 0; i < len(reduce); i++ {
		if reduce[i] == '*' {
			sums[k] += logOfFew(&b.acc[i], &b.acc[i+1], b.n)
			i++
		} else {
			sums[k] += fold(&b.acc[i])
		}
		k++
	}
}

// A termInfo says what a term needs. Of reduce, '+' is a sum, and "*+" a product of factors
// and a sum of exponents, as splitLog gives them.
type termInfo struct {
	args, outs int
	reduce     string
}

var termInfos = [numTerms]termInfo{
	NormalTerm:      {2, 2, "+"},
	NormalScaleTerm: {3, 3, "+*+"},
	StudentTerm:     {3, 3, "+*+*+"},

	LognormalTerm:         {2, 2, "++"},
	LogisticTerm:          {2, 2, "+*++"},
	DoubleExponentialTerm: {2, 2, "+"},
	WeibullTerm:           {2, 2, "++"},
	ExponentialTerm:       {2, 2, "+*+"},
	GammaTerm:             {2, 2, "++*+"},
	BernoulliTerm:         {2, 1, "*+"},
	BinomialTerm:          {3, 1, "+"},
	BinomialLogitTerm:     {3, 1, "+"},
	PoissonTerm:           {2, 1, "+"},
	PoissonLogTerm:        {2, 1, "+"},
	NegBinomialTerm:       {2, 1, "+++"},
	NegBinomialPhiTerm:    {3, 2, "+"},
	OrderedLogitTerm:      {2, 2, "+"},
	LbetaTerm:             {2, 2, "+"},
	lgammaPsiTerm:         {2, 2, ""},
}

// at returns the results of one variate with arguments x.
func (b *block) at(f Term, x *[maxArgs]float64, r *[maxOuts + maxSums]float64) {
	p := &b.params
	switch f {
	case NormalTerm:
		r[0], r[1], r[2] = normalTerm(x[0], x[1], p[0][0], p[1][0])
	case NormalScaleTerm:
		r[0], r[1], r[2], r[3], r[4], r[5] = normalScaleTerm(x[0], x[1], x[2], p[0][0])
	case StudentTerm:
		r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7] = studentTerm(x[0], x[1], x[2], p[0][0], p[1][0], p[2][0], p[3][0])
	case LognormalTerm:
		r[0], r[1], r[2], r[3] = lognormalTerm(x[0], x[1], p[0][0], p[1][0], p[2][0])
	case LogisticTerm:
		r[0], r[1], r[2], r[3], r[4], r[5] = logisticTerm(x[0], x[1], p[0][0], p[1][0])
	case DoubleExponentialTerm:
		r[0], r[1], r[2] = doubleExponentialTerm(x[0], x[1], p[0][0], p[1][0])
	case WeibullTerm:
		r[0], r[1], r[2], r[3] = weibullTerm(x[0], x[1], p[0][0], p[1][0])
	case ExponentialTerm:
		r[0], r[1], r[2], r[3], r[4] = exponentialTerm(x[0], x[1], p[0][0])
	case GammaTerm:
		r[0], r[1], r[2], r[3], r[4], r[5] = gammaTerm(x[0], x[1], p[0][0], p[1][0], p[2][0])
	case BernoulliTerm:
		r[0], r[1], r[2] = bernoulliTerm(x[0], x[1], p[0][0])
	case BinomialTerm:
		r[0], r[1] = binomialTerm(x[0], x[1], x[2], p[0][0])
	case BinomialLogitTerm:
		r[0], r[1] = binomialLogitTerm(x[0], x[1], x[2], p[0][0])
	case PoissonTerm:
		r[0], r[1] = poissonTerm(x[0], x[1], p[0][0])
	case PoissonLogTerm:
		r[0], r[1] = poissonLogTerm(x[0], x[1], p[0][0])
	case NegBinomialTerm:
		r[0], r[1], r[2], r[3] = negBinomialTerm(x[0], x[1], p[0][0], p[1][0], p[2][0])
	case NegBinomialPhiTerm:
		r[0], r[1], r[2] = negBinomialPhiTerm(x[0], x[1], x[2], p[0][0])
	case OrderedLogitTerm:
		r[0], r[1], r[2] = orderedLogitTerm(x[0], x[1], p[0][0])
	case LbetaTerm:
		r[0], r[1], r[2] = lbetaTerm(x[0], x[1], p[0][0])
	case lgammaPsiTerm:
		r[0], r[1] = lgammaTerm(x[0], x[1])
	}
}

// portable is the kernel in Go. Single numbers' derivatives go to the accumulator of
// their variate.
func (b *block) portable(f Term) {
	info := &termInfos[f]
	var x [maxArgs]float64
	var r [maxOuts + maxSums]float64
	for i := range b.n {
		for j := range info.args {
			x[j] = *element(b.x[j], b.step[j], i)
		}
		b.at(f, &x, &r)
		for j := range info.outs {
			at := i
			if b.turn[j] == 0 {
				at = i % 8
			}
			*element(b.out[j], 8, at) += r[j]
		}
		for k := range len(info.reduce) {
			if v := r[info.outs+k]; info.reduce[k] == '*' {
				b.acc[k][i%8] *= v
			} else {
				b.acc[k][i%8] += v
			}
		}
	}
}

// element is element i of a vector, or the single number.
func element(p *float64, step, i int) *float64 {
	if step == 0 {
		return p
	}
	return (*float64)(unsafe.Add(unsafe.Pointer(p), 8*i))
}
