// This file defines the part of run.json that tells what a population found which looked
// for other answers than the fit's.

package draws

import "math"

// Where a population starts.
const (
	PriorStart  = "prior"
	WideStart   = "wide normal" // around 0, in comparison with the fit
	BothStart   = "draws of the fit and of a population from the prior"
	ModesStart  = "modes that climbs from dispersed points ended at"
	SummedStart = "sum over the discrete parameters" // where there are no others: draws from the posterior itself
)

// PopulationRun compares a fit with a population that was annealed to the posterior. The
// population's numbers have standard errors that count independent ancestors, not points.
type PopulationRun struct {
	From        string       `json:"from"`           // one of the constants
	Full        bool         `json:"full,omitempty"` // check = "full"
	Points      int          `json:"points"`
	Ancestors   Number       `json:"ancestors"`           // effective number of independent starting points that points descend from
	Evaluations int          `json:"evaluations"`         // of the density or its gradient
	Allowed     int          `json:"allowed,omitempty"`   // evaluations from which on no round begins that is not needed to end one
	Beta        Number       `json:"beta"`                // inverse temperature that was reached; below 1 nothing was compared
	Failed      string       `json:"failed,omitempty"`    // why there is no population
	Improper    bool         `json:"improper,omitempty"`  // the kernel found no end to the posterior
	LogEvidence *EstimateRun `json:"log_evidence"`        // log p(y); null where the start is not the prior
	Compared    int          `json:"compared"`            // number of quantities
	Largest     Compared     `json:"largest"`             // the quantity that differs most
	Unsure      *Compared    `json:"unsure,omitempty"`    // the quantity whose moments differ most while its shares on either side of a value do not
	Region      Region       `json:"region"`              // where most mass is that the fit has not
	Exchanged   []string     `json:"exchanged,omitempty"` // parameters whose elements' order is all that differs
	Higher      *HigherRun   `json:"higher,omitempty"`    // of a mode: where the density is higher
	Far         *FarRun      `json:"far,omitempty"`       // a mode of too little mass to have points, which moves moments
	Tail        *TailRun     `json:"tail,omitempty"`      // beside independent draws: a standard deviation that few points have most of
	Widened     *Compared    `json:"widened,omitempty"`   // beside an approximation: what wider draws, weighted by the density, have and it has not
}

// TailRun is a quantity whose standard deviation in the population depends on few points.
type TailRun struct {
	Name   string `json:"name"`
	Starts Number `json:"starts"` // effective number of independent starts of the points in its tail
	Share  Number `json:"share"`  // of the variance
}

// FarRun is a mode that holds too little mass for a population of this size to have points there,
// and lies so far away that means or standard deviations depend on it.
type FarRun struct {
	Share    Number   `json:"share"`    // of the mass, by its normal approximation
	At       Number   `json:"at"`       // the quantity there
	Compared Compared `json:"compared"` // the fit, and the population with the mode added; errors are 0
}

// HigherRun is a place where the density is higher than at the mode that was found.
type HigherRun struct {
	Rise  Number `json:"rise"` // nats
	Name  string `json:"name"` // of a parameter that tells the two apart
	Here  Number `json:"here"`
	There Number `json:"there"`
}

// Compared is a quantity under the fit and in the population.
type Compared struct {
	Name        string `json:"name"`
	Fit         Spread `json:"fit"`
	Population  Spread `json:"population"`
	Shift       Number `json:"shift"` // fit's mean less the population's, in the population's standard deviations
	ShiftError  Number `json:"shift_error"`
	Factor      Number `json:"log_factor"` // log of the fit's standard deviation over the population's; NaN of a mode
	FactorError Number `json:"log_factor_error"`
}

// Spread is mean and standard deviation.
type Spread struct {
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
}

// A Region is one side of a value of a quantity: the one whose share of the population
// exceeds that of the fit most.
type Region struct {
	Name     string `json:"name"`
	Above    bool   `json:"above"` // values above At; otherwise below
	At       Number `json:"at"`
	Share    Number `json:"share"` // of the population
	Error    Number `json:"error"` // its standard error
	FitShare Number `json:"fit_share"`
	Middle   Number `json:"middle"` // median of the population's values there
	Apart    bool   `json:"apart"`  // no value of the population lies near At: another mode
}

// Limits of a wrong answer: of a shift in standard deviations, and of the log of a factor
// between standard deviations, 1.43.
const (
	ShiftLimit  = 0.35
	FactorLimit = 0.357674
)

// Difference is the greater of the two differences of a quantity over its limit, and its
// standard error.
func (c Compared) Difference() (value, err float64) {
	shift, factor := math.Abs(float64(c.Shift))/ShiftLimit, math.Abs(float64(c.Factor))/FactorLimit
	if shift >= factor || math.IsNaN(factor) {
		return shift, float64(c.ShiftError) / ShiftLimit
	}
	return factor, float64(c.FactorError) / FactorLimit
}
