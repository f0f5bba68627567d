// This file defines methods whose answer is about another model than the one they are
// run on, and what prior swapping reports.

package infer

// ModelAdapter is a Method that answers for another prior than that of the model it is run
// on. Wrappers that simulate do it from the stated model, and run the method on the
// first one with the simulated observations.
type ModelAdapter interface {
	Method
	// ForModel is m with the prior that the answer is for.
	ForModel(m Model) (Model, error)
}

// ForModel is the model whose posterior a method approximates when it runs on m: m itself but
// for a ModelAdapter method. Methods that only add to another one have Unwrap.
func ForModel(method Method, m Model) (Model, error) {
	for method != nil {
		if r, ok := method.(ModelAdapter); ok {
			return r.ForModel(m)
		}
		w, ok := method.(interface{ Unwrap() Method })
		if !ok {
			break
		}
		method = w.Unwrap()
	}
	return m, nil
}

// SwapReport compares a swapped posterior with importance weights on the draws of the
// posterior under the first priors.
type SwapReport struct {
	From       string      // what stood for the first posterior: "exact", "density", "parametric", "semiparametric" or "draws"; "multiplied" of draws multiplied with those of a prior
	FormError  float64     // where that is exact: largest error of its log density at draws under the new priors, in nats
	ParetoK    float64     // Pareto shape of the weights new prior/old prior; NaN without enough draws
	Share      float64     // effective share of the draws by these weights
	ESS        float64     // effective number of weighted draws
	Draws      int         // of the first posterior, with weights
	Shift      float64     // largest difference between weighted and swapped means, and mean distances from these, over coordinates and parameters, in standard deviations
	ShiftError float64     // its standard error by the effective numbers of draws
	Mode       bool        // there is one draw, the mode: Shift is its distance from that of the new posterior by its gradient there
	Improper   bool        // what stands for the swapped posterior grows without bound
	Lost       float64     // probability that a step from a draw into where the old priors are zero and the new ones are not would be accepted under the new ones
	Beyond     float64     // fraction of draws further out than every draw of the first posterior
	Carried    float64     // effective number of draws of the first posterior that parameters depending on the swapped ones are taken from; NaN where there are none, 0 where that was not counted
	Widened    float64     // of draws multiplied with those of a prior: by how much a spread is wider, as a share of it, as both are smoothed
	Factors    float64     // of these: how many draws of either in effect stand in pairs
	Inner      *SwapReport // of the swap that the first posterior is from; nil for none
}
