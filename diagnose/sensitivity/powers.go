package sensitivity

// This file is about larger changes of the priors' weight.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// Powers are the powers of the priors that moments are given for beside the fit's own.
var Powers = [...]float64{0.5, 2}

// A Scaled is the posterior with the priors together raised to a power.
type Scaled struct {
	Power     float64
	K         float64 // Pareto shape of the weights
	Refit     bool    // the weights do not hold, and the moments are those of a fit
	Variables []string
	Mean, SD  []float64 // of each variable
}

// A Refit fits the model with its priors together raised to a power, from a few draws.
type Refit func(power float64) (*draws.Draws, error)

// Scale finds the moments of the variables under each of Powers: by weights or, where these do not
// hold, by a fit.
func (r *Result) Scale(fit *draws.Draws, refit Refit) ([]Scaled, error) {
	var out []Scaled
	for _, power := range Powers {
		s, err := r.scale(fit, power, refit)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (r *Result) scale(fit *draws.Draws, power float64, refit Refit) (Scaled, error) {
	s := Scaled{Power: power}
	ratios := fit.LogWeights()
	if ratios == nil {
		ratios = make([]float64, fit.Total())
	}
	for i, l := range slices.Concat(r.Parts[PriorPart].Log...) {
		ratios[i] += float64((power - 1) * l)
	}
	smooth := psis.Smooth(ratios, 1)
	s.K = smooth.K
	weight := expAll(smooth.LogWeights)
	if !smooth.Trusted() {
		var err error
		if fit, err = refit(power); err != nil {
			return s, err
		}
		s.Refit, weight = true, expAll(psis.Smooth(make([]float64, fit.Total()), 1).LogWeights)
	}
	for _, v := range r.Variables {
		mean, sd := moments(slices.Concat(fit.Column(v.Name)...), weight)
		s.Variables, s.Mean, s.SD = append(s.Variables, v.Name), append(s.Mean, mean), append(s.SD, sd)
	}
	return s, nil
}

// PowerFigure is a Scaled for scripts.
type PowerFigure struct {
	Power     draws.Number            `json:"power"` // of the priors together
	K         draws.Extended          `json:"pareto_k"`
	Refit     bool                    `json:"refit"`
	Variables map[string]MomentFigure `json:"variables"`
}

// A MomentFigure has the moments of a variable.
type MomentFigure struct {
	Mean draws.Number `json:"mean"`
	SD   draws.Number `json:"sd"`
}

func (s Scaled) figure() PowerFigure {
	f := PowerFigure{Power: draws.Number(s.Power), K: draws.Extended(s.K), Refit: s.Refit, Variables: map[string]MomentFigure{}}
	for i, name := range s.Variables {
		f.Variables[name] = MomentFigure{draws.Number(s.Mean[i]), draws.Number(s.SD[i])}
	}
	return f
}

// mostScaled is how many variables the table of powers has.
const mostScaled = 10

// powersTable has the most sensitive variables.
func powersTable(vars []Variable, scaled []Scaled) diagnose.Table {
	t := diagnose.Table{Header: []string{"variable", "half: mean", "sd", "as fitted: mean", "sd", "twice: mean", "sd"}}
	t.Title = "mean and sd with half and with twice the priors' weight"
	for _, s := range scaled {
		by := fmt.Sprintf("by weights, k %s", fixed(s.K, 2))
		if s.Refit {
			by = fmt.Sprintf("by a fit, since weights have k %s", fixed(s.K, 2))
		}
		t.Title += fmt.Sprintf("; %g: %s", s.Power, by)
	}
	most := slices.Clone(vars)
	slices.SortStableFunc(most, func(a, b Variable) int {
		return cmp.Compare(math.Abs(b.Effects[PriorPart].Mean), math.Abs(a.Effects[PriorPart].Mean))
	})
	for _, v := range most[:min(len(most), mostScaled)] {
		row := []string{v.Name}
		for i, s := range scaled {
			at := slices.Index(s.Variables, v.Name)
			own := []string{short(s.Mean[at]), short(s.SD[at])}
			if i == 1 {
				row = append(row, short(v.Mean), short(v.SD))
			}
			row = append(row, own...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func short(x float64) string { return fmt.Sprintf("%.4g", x) }
