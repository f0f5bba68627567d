// What calls require of their arguments, and how a call that was expanded shows that it
// would have been rejected.

package stdlib

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// A Sign says what the value of a call that was expanded is where the call itself is
// rejected.
type Sign uint8

const (
	Unseen    Sign = iota // perhaps an ordinary number
	NotFinite             // infinite or NaN
	IsNaN
)

// A Demand is what a call requires of one argument: to lie between Low and High. Below and
// Above say what becomes of the expansion of a call where it does not; NaN makes NaN. The
// interval may be less than what the function takes, where its expansion is good for less.
type Demand struct {
	Low, High    float64
	Below, Above Sign
}

// Demands returns what a call of n arguments requires of each, nil where that cannot be said for
// one argument after the other. full says that the call was expanded in the mode ForAnalysis.
func Demands(f *catalogue.Function, n int, full bool) []Demand {
	name := strings.TrimSuffix(f.Name, lowering.ElementSuffix)
	if list, ok := otherDemands[name]; ok {
		return append(slices.Repeat(list[:1], n-len(list)), list...) // the first argument may be in two parts
	}
	d := law(f)
	if d == nil || d.Rows != nil || d.Valid != nil {
		return nil
	}
	v := univariate.Variates{Dist: d, Density: strings.HasSuffix(name, univariate.DensitySuffix(d))}
	if v.Density && d.Support != nil && !d.SupportOfCounts {
		return nil
	}
	sign := NotFinite
	_, own := lowering.FullExpansions[name]
	_, silent := lowering.CumulativeFormulas[name]
	if full && own && !slices.Contains(sameFullExpansions, name) || silent || slices.Contains(silentExpansions, name) {
		sign = Unseen
	}
	list := make([]Demand, len(d.Requires))
	for j := range list {
		r := v.Requirement(j)
		list[j] = Demand{r.Low, r.High, sign, sign}
		if slices.Contains(lowering.DensityFormulas[name].Hidden, j) {
			list[j].Below, list[j].Above = Unseen, Unseen
		} else if sign == NotFinite {
			list[j].markNaN(name, j)
		}
	}
	return list
}

// law is the distribution that a function belongs to.
func law(f *catalogue.Function) *catalogue.Distribution {
	if f.ElementsOf != nil {
		return f.ElementsOf
	}
	return f.Density
}

// markNaN reports where what is too small, or too great, makes NaN.
func (d *Demand) markNaN(name string, arg int) {
	if slices.Contains(nanBelow[name], arg) {
		d.Below = IsNaN
	}
	if slices.Contains(nanAbove[name], arg) {
		d.Above = IsNaN
	}
}

// The arguments whose numbers, when too small or too great, make the expansion NaN.
var (
	nanBelow = map[string][]int{
		"normal_lpdf": {2}, "lognormal_lpdf": {0, 2}, "student_t_lpdf": {1, 3},
		"gamma_lpdf": {0}, "beta_lpdf": {0}, "bernoulli_lpmf": {1}, "poisson_lpmf": {1},
	}
	nanAbove = map[string][]int{"student_t_lpdf": {1}, "beta_lpdf": {0}, "bernoulli_lpmf": {1}}
)

// silentExpansions are functions whose expansions do not show violated conditions, as those of
// CumulativeFormulas: the tails of a normal distribution of scale 0 are 0 and 1.
var silentExpansions = []string{"normal_lcdf", "normal_lccdf"}

// sameFullExpansions are functions whose full expansions show the same as the others.
var sameFullExpansions = []string{"normal_lpdf", "std_normal_lpdf", "lognormal_lpdf"}

// What does not show in the value of a call.
var (
	anyNumber    = Demand{math.Inf(-1), math.Inf(1), Unseen, Unseen}
	finiteNumber = Demand{-catalogue.MaxFinite, catalogue.MaxFinite, Unseen, Unseen}
)

// kernelDemands are those of a covariance function: locations, sigma, a length scale, whose square must be an ordinary
// number, and a period.
var kernelDemands = []Demand{
	{-catalogue.MaxFinite, catalogue.MaxFinite, Unseen, Unseen}, {catalogue.LeastPositive, catalogue.MaxFinite, Unseen, Unseen},
	{1e-150, 1e150, Unseen, Unseen}, {catalogue.LeastPositive, catalogue.MaxFinite, Unseen, Unseen},
}

// otherDemands are those of functions that are no distributions of single numbers.
var otherDemands = map[string][]Demand{
	"gp_exp_quad_cov":             kernelDemands[:3],
	"gp_exponential_cov":          kernelDemands[:3],
	"gp_matern32_cov":             kernelDemands[:3],
	"gp_matern52_cov":             kernelDemands[:3],
	"gp_periodic_cov":             kernelDemands,
	"multinomial_logit_lpmf":      {anyNumber, finiteNumber},
	"dirichlet_multinomial_lpmf":  {anyNumber, {Low: catalogue.LeastPositive, High: catalogue.MaxFinite}},
	"categorical_logit_lpmf":      {{Low: 1, High: catalogue.MaxFinite}, {Low: -catalogue.MaxFinite, High: catalogue.MaxFinite}},
	"categorical_logit_glm_lpmf":  {anyNumber, finiteNumber, finiteNumber, finiteNumber},
	"bernoulli_logit_glm_lpmf":    {anyNumber, anyNumber, finiteNumber, finiteNumber},
	"poisson_log_glm_lpmf":        {anyNumber, anyNumber, finiteNumber, finiteNumber},
	"binomial_logit_glm_lpmf":     {anyNumber, anyNumber, anyNumber, finiteNumber, finiteNumber},
	"neg_binomial_2_log_glm_lpmf": {anyNumber, anyNumber, finiteNumber, finiteNumber, {catalogue.LeastPositive, catalogue.MaxFinite, Unseen, Unseen}},
	"normal_id_glm_lpdf": {{math.Inf(-1), math.Inf(1), NotFinite, NotFinite}, {math.Inf(-1), math.Inf(1), NotFinite, NotFinite},
		{-catalogue.MaxFinite, catalogue.MaxFinite, NotFinite, NotFinite}, {-catalogue.MaxFinite, catalogue.MaxFinite, NotFinite, NotFinite}, {catalogue.LeastPositive, catalogue.MaxFinite, IsNaN, NotFinite}},
}

// NaNExcept returns the one argument, and the demand on it, beside which the expansion of a call is
// NaN wherever the call is rejected; ok is false where no such thing is known. full is as for
// Demands.
func NaNExcept(f *catalogue.Function, full bool) (arg int, d Demand, ok bool) {
	switch f.Name {
	case "multi_normal_lpdf", "multi_normal_cholesky_lpdf":
		return 1, Demand{-catalogue.MaxFinite, catalogue.MaxFinite, NotFinite, NotFinite}, !full
	}
	return 0, Demand{}, false
}

// SignOf reports how the expansion of a call shows that the call is rejected, for functions without
// Demands.
func SignOf(f *catalogue.Function) Sign {
	switch f.Name {
	case "log1m", "log1p", "log_mix", "Phi", "acosh", "atanh", "eigenvalues_sym", "eigenvectors_sym", "inverse_spd", "log_determinant_spd", "dirichlet_lpdf", "multinomial_lpmf":
		return IsNaN
	case "multi_normal_lpdf", "multi_normal_cholesky_lpdf", "multi_student_t_lpdf", "multi_student_t_cholesky_lpdf", "uniform_lpdf", "pareto_type_2_lpdf":
		return NotFinite
	}
	return Unseen
}

// CanReject reports whether a call may be rejected for the real numbers that it is given.
func CanReject(f *catalogue.Function) bool {
	switch {
	case f.Op != nil:
		return f.Valid != nil
	case f.Kernel == nil:
		return false
	}
	return f.Density != nil || !slices.Contains(infallible, f.Name)
}

// infallible are functions of containers that take any numbers.
var infallible = strings.Fields(`
	add add_diag columns_dot_product columns_dot_self crossprod csr_matrix_times_vector cumulative_sum determinant diag_post_multiply diag_pre_multiply
	distance divide dot_product dot_self elt_divide elt_multiply elt_pow exp inverse log log_determinant log_softmax log_sum_exp
	matrix_exp max mdivide_left mdivide_left_tri_low mdivide_right_tri_low mean min minus multiply
	multiply_lower_tri_self_transpose norm1 norm2 pow prod qr_Q qr_R qr_thin_Q qr_thin_R quad_form quad_form_diag rows_dot_product
	rows_dot_self sd singular_values softmax svd_U svd_V
	sqrt squared_distance subtract sum tcrossprod trace trace_quad_form variance`)

// Precondition returns a kernel that rejects the same arguments as f for the same reasons, and the
// places of the arguments that it reads. It is the kernel of f, or a cheaper one that only checks.
func Precondition(f *catalogue.Function) (k *catalogue.Kernel, args []int) {
	switch {
	case f.Name == "categorical_lpmf":
		return simplexKernel, []int{1}
	case f.Name == "lkj_corr_cholesky_lpdf":
		return factorKernel, []int{0}
	case f.Name == "log_mix" && f.Op == nil:
		return proportionsKernel, []int{0}
	}
	if d := law(f); d != nil && d.Rows == nil && f.Kernel != nil {
		return univariate.CheckKernel(d, f.Name), nil
	}
	return f.Kernel, nil
}

// proportionsKernel has no result, and rejects what log_mix does.
var proportionsKernel = &catalogue.Kernel{
	Dims:  func([]catalogue.Tensor) ([]int, error) { return []int{0}, nil },
	Value: func(in []catalogue.Tensor, _, _ []float64) error { return mathfn.RequireProportions(in[0].X) },
}

// simplexKernel has no result, and rejects what is no simplex.
var simplexKernel = &catalogue.Kernel{
	Dims: func([]catalogue.Tensor) ([]int, error) { return []int{0}, nil },
	Value: func(in []catalogue.Tensor, _, _ []float64) error {
		return univariate.RequireSimplex("categorical_lpmf", "theta", in[0])
	},
}

// factorKernel has no result, and rejects what is no Cholesky factor.
var factorKernel = &catalogue.Kernel{
	Dims: func([]catalogue.Tensor) ([]int, error) { return []int{0}, nil },
	Value: func(in []catalogue.Tensor, _, _ []float64) error {
		if err := transform.CheckCholeskyFactor(in[0].Dims, in[0].X); err != nil {
			return catalogue.DomainErrorf("lkj_corr_cholesky_lpdf", "L%s", err)
		}
		return nil
	},
}
