// This file defines the parts of run.json that only some methods fill.

package draws

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
)

// EstimateRun is the record of an estimate with its standard error.
type EstimateRun struct {
	Value Number `json:"estimate"`
	Error Number `json:"error"`
}

// UpdateRun says how draws were taken from the posterior given some data to that given others.
type UpdateRun struct {
	By       string      `json:"by"`        // "weights", "particles" or "a fit"
	Draws    int         `json:"draws"`     // of the old posterior
	ParetoK  Extended    `json:"pareto_k"`  // Pareto shape of their weights
	ESS      Number      `json:"ess"`       // effective number of them by the weights
	Steps    int         `json:"steps"`     // of the particles
	LogRatio EstimateRun `json:"log_ratio"` // log p(new data) - log p(old data); null after a fit
}

// FitRun is the record of an optimiser's way.
type FitRun struct {
	Iterations  int          `json:"iterations"`
	Evaluations int          `json:"evaluations"`
	Converged   bool         `json:"converged"`
	Stop        string       `json:"stop"`
	ELBO        *EstimateRun `json:"elbo"`                   // null: the method has none
	Objective   *EstimateRun `json:"objective"`              // what a method other than by the bound has minimised; null of others
	Starts      []Number     `json:"starts,omitempty"`       // objectives that several starts have ended at; null of one that got nowhere
	ParetoK     Extended     `json:"pareto_k"`               // null: the method has none
	Excluded    Number       `json:"excluded,omitempty"`     // probability, given the rest, of discrete values that the approximation excludes
	WeightShare Number       `json:"weight_share,omitempty"` // effective share of the draws weighted by the ratios behind pareto_k
	Trace       []TraceRun   `json:"trace"`

	Normal      *NormalRun      `json:"normal,omitempty"`      // the approximation, where it is a normal of not too many coordinates
	Mode        *ModeRun        `json:"mode,omitempty"`        // of searches for a mode
	Understated *UnderstatedRun `json:"understated,omitempty"` // of independent factors, where it is known
}

// NormalRun is a normal distribution of unconstrained coordinates.
type NormalRun struct {
	Coordinates []string   `json:"coordinates"`
	Mean        []Number   `json:"mean"`
	SD          []Number   `json:"sd"`
	Covariance  [][]Number `json:"covariance,omitempty"` // left out where coordinates are independent
}

// StoppingRun is the record of a run that decides on its lengths by itself.
type StoppingRun struct {
	ESS      Number `json:"ess,omitempty"`      // what was asked for, of bulk and tails of each column; 0: the number of draws was given
	RHat     Number `json:"rhat,omitempty"`     // what was asked for
	Reached  bool   `json:"reached,omitempty"`  // every one has both
	Slowest  string `json:"slowest,omitempty"`  // the column that was furthest from it at the last stop
	Stops    []int  `json:"stops,omitempty"`    // draws a chain at which the run was looked at
	Replaced []int  `json:"replaced,omitempty"` // chains, from 1, that warm-up found at a place with next to no mass: they went on from where another was

	Centring []CentringRun `json:"centring,omitempty"` // of each location-scale effect
}

// CentringRun is how a location-scale effect was sampled: by the fraction of centring of its coordinates, from 0,
// non-centred, to 1, centred.
type CentringRun struct {
	Name    string `json:"name"`    // of the parameter
	Written string `json:"written"` // in the program: "centred" or "non-centred"
	Least   Number `json:"least"`   // fraction among its coordinates
	Most    Number `json:"most"`
	Fixed   bool   `json:"fixed,omitempty"` // as written, since the length of warm-up was given
}

// Learned reports whether chains moved in coordinates that warm-up has learned.
func (s *StoppingRun) Learned() bool {
	return s != nil && slices.ContainsFunc(s.Centring, func(c CentringRun) bool { return !c.Fixed })
}

// AsWritten are the parameters whose effects were sampled as the program has them since the length of warm-up was given.
func (s *StoppingRun) AsWritten() (names []string) {
	if s == nil {
		return nil
	}
	for _, c := range s.Centring {
		if c.Fixed && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// RejectionRun reports why the model rejected points: one record for each place and message,
// counted over the rejections that were kept, the first 200 of each chain.
type RejectionRun struct {
	Place   string  `json:"place"`   // file:line:column; empty where it is not known
	Message string  `json:"message"` // with the ranges of the numbers that differ
	Count   int     `json:"count"`
	Low     *Number `json:"low,omitempty"` // least and greatest value that the message is about, where there is one
	High    *Number `json:"high,omitempty"`
}

// UnderstatedRun is the coordinate whose standard deviation is most too small.
type UnderstatedRun struct {
	Coordinate int    `json:"coordinate"` // from 0
	Name       string `json:"name"`
	Ratio      Number `json:"ratio"` // standard deviation by the posterior's curvature over the approximation's
}

// TraceRun is the objective at one place of a fit: a log density, or the evidence
// lower bound with its standard error.
type TraceRun struct {
	Path      int    `json:"path"` // from 0
	Iteration int    `json:"iteration"`
	Objective Number `json:"objective"`
	Error     Number `json:"error"`
}

// AnnealingRun is the record of a way from one density to another: a number for each
// temperature after the first.
type AnnealingRun struct {
	Beta     []Number `json:"beta"`
	Accept   []Number `json:"accept"`
	StepSize []Number `json:"stepsize"`
}

// Numbers turns floats into numbers that JSON can carry.
func Numbers(x []float64) []Number {
	out := make([]Number, len(x))
	for i, v := range x {
		out[i] = Number(v)
	}
	return out
}

// Extended is a float64 whose infinities count: in JSON they are "Inf" and "-Inf", NaN
// is null.
type Extended float64

// MarshalJSON implements json.Marshaler.
func (e Extended) MarshalJSON() ([]byte, error) {
	switch x := float64(e); {
	case math.IsInf(x, 1):
		return []byte(`"Inf"`), nil
	case math.IsInf(x, -1):
		return []byte(`"-Inf"`), nil
	}
	return Number(e).MarshalJSON()
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Extended) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"Inf"`:
		*e = Extended(math.Inf(1))
		return nil
	case `"-Inf"`:
		*e = Extended(math.Inf(-1))
		return nil
	}
	return (*Number)(e).UnmarshalJSON(text)
}

// UnmarshalJSON implements json.Unmarshaler: null is NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}
