// Hidden Markov models with discrete states: hmm_marginal, hmm_hidden_state_prob and
// hmm_latent_rng, by the scaled forward and backward recursions.
//
// Column n of log_omega holds the log densities of observation n in the K states. With
// omega scaled by its largest element in each column,
//
//	alpha_n = omega_n .* (Gamma' alpha_{n-1}) / c_n   (sums to 1)
//	beta_{n-1} = Gamma (omega_n .* beta_n) / c_n      (beta_N = 1)
//
// and alpha_n .* beta_n are the posterior probabilities of the states.

package multivariate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const hmmSection = "Hidden Markov Models"

func hmmFunctions() []*catalogue.Function {
	const params = "(matrix log_omega, matrix Gamma, vector rho)"
	work := func(in []catalogue.Tensor) int {
		k, n := container.MatrixSize(in[0])
		return 2*k*n + n + k
	}
	return []*catalogue.Function{
		{
			Name:       "hmm_marginal",
			Signatures: []string{"real hmm_marginal" + params},
			Doc:        "log density of the observations of a hidden Markov model, with the states summed out",
			Section:    hmmSection,
			Kernel: DensityKernel(func(in []catalogue.Tensor) error { return hmmSizes("hmm_marginal", in) }, work,
				hmmMarginalLog),
		},
		{
			Name:       "hmm_hidden_state_prob",
			Signatures: []string{"matrix hmm_hidden_state_prob(data matrix log_omega, data matrix Gamma, data vector rho)"},
			Doc:        "the posterior probabilities of the states, a column for each observation",
			Section:    hmmSection,
			Kernel: &catalogue.Kernel{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return in[0].Dims, hmmSizes("hmm_hidden_state_prob", in) },
				Work: work,
				Value: func(in []catalogue.Tensor, out, work []float64) error {
					if err := hmmCheck("hmm_hidden_state_prob", in); err != nil {
						return err
					}
					h := newHMM(in, work)
					h.forward()
					matrixfn.Fill(h.beta, 1)
					for n := h.n - 1; n >= 0; n-- {
						for i, b := range h.beta {
							out[n*h.k+i] = h.alpha[n*h.k+i] * b
						}
						h.backward(n)
					}
					return nil
				},
			},
		},
		{
			Name:       "hmm_latent_rng",
			Signatures: []string{"array[] int hmm_latent_rng(data matrix log_omega, data matrix Gamma, data vector rho)"},
			Doc:        "the states, drawn from their posterior distribution",
			Section:    hmmSection,
			Draw: &catalogue.Drawer{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return in[0].Dims[1:], hmmSizes("hmm_latent_rng", in) },
				Draw: hmmDraw,
			},
		},
	}
}

func hmmSizes(fn string, in []catalogue.Tensor) error {
	k := in[0].Dims[0]
	if err := matrixfn.SquareMatrix(fn, "Gamma", in[1], k); err != nil {
		return err
	}
	if n := in[2].Dims[0]; n != k {
		return container.SizeError(fn, "the size of rho", n, "the number of rows of log_omega", k)
	}
	return nil
}

func hmmCheck(fn string, in []catalogue.Tensor) error {
	if err := catalogue.CheckEach(fn, "log_omega", in[0], catalogue.IsNumber, "a number"); err != nil {
		return err
	}
	if err := simplexError(fn, "rho", in[2].X); err != nil {
		return err
	}
	k := in[1].Dims[0]
	for i := 0; i < k; i++ {
		sum := 0.0
		for j := 0; j < k; j++ {
			v := in[1].X[i+j*k]
			if !(v >= 0) {
				return catalogue.ArgumentError(fn, "Gamma", in[1], i+j*k, "non-negative")
			}
			sum += v
		}
		if !(math.Abs(sum-1) <= transform.CheckTolerance) {
			return catalogue.DomainErrorf(fn, "row %d of Gamma sums to %v, but must sum to 1", i+1, sum)
		}
	}
	return nil
}

// An hmm holds the recursions' state in the kernel's scratch.
type hmm struct {
	k, n         int
	logOmega     []float64
	gamma, rho   []float64
	alpha, omega []float64 // a column for each observation
	scale        []float64 // the inverses of the c_n
	beta         []float64
}

func newHMM(in []catalogue.Tensor, work []float64) hmm {
	k, n := container.MatrixSize(in[0])
	return hmm{
		k: k, n: n, logOmega: in[0].X, gamma: in[1].X, rho: in[2].X,
		alpha: work[:k*n], omega: work[k*n : 2*k*n], scale: work[2*k*n : 2*k*n+n],
		beta: work[2*k*n+n : 2*k*n+n+k],
	}
}

// forward fills alpha, omega and scale and gives the log density.
func (h *hmm) forward() float64 {
	sum := h.scaled()
	product := 1.0 // of the c_n whose logarithms are not in the sum
	for n := 0; n < h.n; n++ {
		alpha, omega := h.alpha[n*h.k:(n+1)*h.k], h.omega[n*h.k:(n+1)*h.k]
		if n == 0 {
			copy(alpha, h.rho)
		} else {
			h.predict(h.alpha[(n-1)*h.k:n*h.k], alpha)
		}
		c := dot(alpha, omega)
		if !(c > leastScale) { // the largest element is of a state that can hardly be reached
			own := h.rescale(n, alpha)
			if math.IsInf(own, -1) {
				return own
			}
			sum += own
			c = dot(alpha, omega)
		}
		inverse := 1 / c
		h.scale[n] = inverse
		for i, o := range omega {
			alpha[i] *= o * inverse
		}
		if product *= c; product < 1e-100 || product > 1e100 {
			sum, product = sum+libm.Log(product), 1
		}
	}
	return sum + libm.Log(product)
}

// leastScale is the least c_n with which products of a few keep their digits.
const leastScale = 1e-100

// scaled fills omega, scaled by the largest element of each column, and returns the sum of the logarithms of the scales.
func (h *hmm) scaled() float64 {
	sum := 0.0
	for n := 0; n < h.n; n++ {
		column := h.logOmega[n*h.k : (n+1)*h.k]
		top := slices.Max(column)
		if math.IsInf(top, 0) {
			top = 0
		}
		for i, v := range column {
			h.omega[n*h.k+i] = v - top
		}
		sum += top
	}
	vec.Exp.Map(h.omega, h.omega)
	return sum
}

// rescale fills column n of omega by a scale that fits the predicted probabilities, and returns what the sum of logarithms must
// have for it.
func (h *hmm) rescale(n int, predicted []float64) float64 {
	column := h.logOmega[n*h.k : (n+1)*h.k]
	before, top := slices.Max(column), h.top(n, predicted)
	if math.IsInf(top, -1) {
		return top
	}
	if math.IsInf(before, 0) {
		before = 0
	}
	for i, v := range column {
		h.omega[n*h.k+i] = libm.Exp(math.Min(v-top, maxUnreachable))
	}
	return top - before
}

// predict sets the probabilities of the states before the next observation, Gamma' alpha.
func (h *hmm) predict(alpha, next []float64) {
	if h.k > fewStates {
		clear(next)
		catalogue.AddTransposeTimes(h.gamma, h.k, alpha, next)
		return
	}
	for j := range next {
		next[j] = dot(h.gamma[j*h.k:(j+1)*h.k], alpha)
	}
}

// fewStates is up to how many states loops are faster than calls of vector kernels.
const fewStates = 6

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// maxUnreachable bounds the logarithm of omega, which can pass it only in states that
// cannot be reached, so that their derivatives stay finite.
const maxUnreachable = 700

// top is what is taken out of log_omega in step n: the largest element among states that
// can be reached, or where those have tiny probabilities, the largest joint one.
func (h *hmm) top(n int, predicted []float64) float64 {
	column := h.logOmega[n*h.k : (n+1)*h.k]
	top, p := math.Inf(-1), 0.0
	for i, v := range column {
		if predicted[i] > 0 && v > top {
			top, p = v, predicted[i]
		}
	}
	if p > 1e-200 {
		return top
	}
	top = math.Inf(-1)
	for i, v := range column {
		top = math.Max(top, v+libm.Log(predicted[i]))
	}
	return top
}

// backward steps beta from observation n to n-1, and makes omega .* beta / c of column n of omega.
func (h *hmm) backward(n int) {
	omega := h.omega[n*h.k : (n+1)*h.k]
	for i, b := range h.beta {
		omega[i] *= b * h.scale[n]
	}
	if n == 0 {
		return
	}
	clear(h.beta)
	if h.k > fewStates {
		catalogue.AddTimes(h.gamma, h.k, omega, h.beta)
		return
	}
	for j, v := range omega {
		for i, p := range h.gamma[j*h.k : (j+1)*h.k] {
			h.beta[i] += float64(p * v)
		}
	}
}

func hmmMarginalLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	if err := hmmCheck("hmm_marginal", in); err != nil {
		return 0, err
	}
	h := newHMM(in, work)
	if h.n == 0 || h.k == 0 {
		return 0, nil
	}
	sum := h.forward() // -Inf leaves the recursions unfinished
	domega, dgamma, drho := Into(din, 0), Into(din, 1), Into(din, 2)
	if domega == nil && dgamma == nil && drho == nil || math.IsInf(sum, -1) {
		return sum, nil
	}
	matrixfn.Fill(h.beta, adj)
	for n := h.n - 1; n >= 0; n-- {
		if domega != nil {
			for i, b := range h.beta {
				domega[n*h.k+i] += float64(h.alpha[n*h.k+i] * b)
			}
		}
		h.backward(n)
	}
	if m := h.n - 1; dgamma != nil && m > 0 { // omega holds omega .* beta / c now
		before, after := dense.Of(h.k, m, h.alpha[:m*h.k]), dense.Of(h.k, m, h.omega[h.k:])
		dense.AddMul(dense.Of(h.k, h.k, dgamma), before, after.T())
	}
	if drho != nil {
		catalogue.Axpy(1, h.omega[:h.k], drho)
	}
	return sum, nil
}

// hmmDraw filters forward and draws backward.
func hmmDraw(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
	if err := hmmCheck("hmm_latent_rng", in); err != nil {
		return err
	}
	k, n := container.MatrixSize(in[0])
	h := newHMM(in, make([]float64, 2*k*n+n+k))
	h.forward()
	for t := n - 1; t >= 0; t-- {
		p := h.alpha[t*k : (t+1)*k]
		if t < n-1 {
			next := int(out[t+1]) - 1
			for i := range p {
				p[i] *= h.gamma[i+next*k]
			}
		}
		out[t] = float64(drawIndex(r, p) + 1)
	}
	return nil
}

// drawIndex draws an index in proportion to the weights.
func drawIndex(r *rand.Rand, weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	u := r.Float64() * total
	last := 0
	for i, w := range weights {
		if w > 0 {
			last = i
			if u < w {
				return i
			}
			u -= w
		}
	}
	return last
}
