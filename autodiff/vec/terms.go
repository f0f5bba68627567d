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
	numTerms
)

const (
	maxArgs   = 5
	maxOuts   = 4
	maxParams = 4
	maxSums   = 8
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
}

// at gives the results of one variate with arguments x.
func (b *block) at(f Term, x *[maxArgs]float64, r *[maxOuts + maxSums]float64) {
	p := &b.params
	switch f {
	case NormalTerm:
		r[0], r[1], r[2] = normalTerm(x[0], x[1], p[0][0], p[1][0])
	case NormalScaleTerm:
		r[0], r[1], r[2], r[3], r[4], r[5] = normalScaleTerm(x[0], x[1], x[2], p[0][0])
	case StudentTerm:
		r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7] = studentTerm(x[0], x[1], x[2], p[0][0], p[1][0], p[2][0], p[3][0])
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
