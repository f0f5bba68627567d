// This file defines methods, what they are asked and what they answer.

package infer

import (
	"context"
	"encoding/json"
	"math"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Method turns a model into a posterior. A Method is immutable and may be run
// from several goroutines.
type Method interface {
	// Name is the method's name in the language, such as "nuts".
	Name() string
	// Run fits the model. When ctx ends early it returns the draws so far,
	// marked incomplete, and no error. After an error the posterior is nil
	// or incomplete.
	Run(ctx context.Context, m Model, o Options) (*Posterior, error)
}

// Markov is a Method made of a kernel. Wrappers that need the kernel itself,
// for instance to anneal with it, ask for this interface.
type Markov interface {
	Method
	// Chains are the lengths of the run.
	Chains() MarkovOptions
	// Stats names the sampler columns in the order of Info.Stats.
	Stats() []string
	// Config is the method's settings in CmdStan's tree.
	Config() []draws.Entry
	// NewKernel returns a kernel on t and its tuner, for a warm-up of that
	// many steps. The error names what t lacks.
	NewKernel(t Target, warmup int) (Kernel, Tuner, error)
}

// Estimator is a Markov that may have no more than an estimate of the log density at a draw, with
// noise that differs from chain to chain: no quantity that the draws could be precise in.
type Estimator interface {
	Markov
	EstimatesDensity()
}

// Options are the settings of a run that belong to no method.
type Options struct {
	Seed              uint64   // of all random streams
	Replicate         uint64   // separates the runs of a method by a wrapper
	Jobs              int      // goroutines; 0 means one
	SaveWarmup        bool     // warm-up draws go to the observer too
	KeepUnconstrained bool     // fill Posterior.Unconstrained
	Observer          Observer // may be nil
	Share             Share    // units to do; wrappers run methods inside with the zero value
	Relay             Relay    // has the chains moved elsewhere; nil: here. Wrappers run methods inside without one.
	Leave             bool     // a run that is to end does not wait for evaluations, which go on: for programs that end then
	Leg               *Leg     // of a run elsewhere, which is all that is done; nil: the whole run
}

// MarkovOptions are the options that all Markov methods share.
type MarkovOptions struct {
	Chains int // at least 1
	Warmup int // transitions of warm-up, per chain; the most where Settle is set
	Draws  int // draws kept, per chain; the most where there is a Precision
	Thin   int // transitions per draw kept; 0 means 1
	Init   Init
	// Settle ends the warm-up where the chains agree; see settled.
	Settle bool
	// Precision ends the run where the draws have it; nil: after Draws draws.
	Precision *Precision
}

// DefaultMarkovOptions are the documented defaults of the language.
func DefaultMarkovOptions() MarkovOptions {
	return MarkovOptions{Chains: 4, Warmup: 1000, Draws: 1000, Thin: 1, Init: Init{Radius: 2}}
}

// Init reports where chains start, on the unconstrained scale.
type Init struct {
	// Radius: coordinates are uniform on (-Radius, Radius). 0 starts at 0.
	Radius float64
	// Points, if any, are the starting points: one for each chain, or a
	// single one for all. A NaN coordinate is drawn as Radius says.
	Points [][]float64
}

// Estimate is a number with its Monte Carlo standard error.
type Estimate struct {
	Value float64 `json:"estimate"`
	Error float64 `json:"error"`
}

// MarshalJSON implements json.Marshaler: what is no number is null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value draws.Number `json:"estimate"`
		Error draws.Number `json:"error"`
	}{draws.Number(e.Value), draws.Number(e.Error)})
}

// Density is an approximation that can be evaluated: its normalised log
// density on the unconstrained scale.
type Density interface {
	LogDensity(q []float64) float64
}

// Posterior is the answer of a method. Fields that a method cannot fill are
// nil.
type Posterior struct {
	Plan          draws.Plan
	Draws         *draws.Draws         // draws after warm-up
	Unconstrained [][][]float64        // chain, draw, coordinate; on request
	LogWeights    [][]float64          // chain, draw; nil: all draws weigh the same
	LogEvidence   *Estimate            // log p(y), with all constants
	NoEvidence    error                // why a method that estimates log p(y) could not; nil otherwise
	Density       Density              // normalised; an Approximation where it can be drawn from
	Fit           *FitReport           // of methods that optimise
	Annealing     *AnnealingReport     // of methods that anneal
	Swap          *SwapReport          // of prior swapping
	Update        *draws.UpdateRun     // of draws that were taken to other data
	Duality       *Duality             // of methods of full conditionals
	Population    *draws.PopulationRun // of the search for other answers; nil where there was none
	Chains        []ChainReport
	Stopping      *draws.StoppingRun   // why the run ended where it did; nil where its length was fixed
	Rejected      []draws.RejectionRun // why trajectories ended at points of density zero, the most frequent first; see ExplainRejections
	Incomplete    bool                 // the run was cut short
	Cause         error                // why it was
	Passage       *Passage             // what came of Options.Leg, which has nothing else
}

// ChainReport is what is known of one chain beside its draws.
type ChainReport struct {
	Init            []float64 // starting point
	ReplacedAt      int       // transition of warm-up at which the chain went on from where another one was; 0: never
	Adaptation      draws.Adaptation
	End             draws.ChainEnd
	DivergenceCount int          // after warm-up
	Divergences     []Divergence // the first MaxDivergences, after warm-up
	RejectionCount  int          // transitions that ended at a point of density zero, after warm-up
	Rejections      []Rejection  // the first MaxDivergences, after warm-up
	QuantityErrors  int          // rows in which Write met a rejection
	QuantityError   error        // the first of them
}

// MaxDivergences bounds the records of divergences, and those of rejections, kept for each chain.
const MaxDivergences = 200

// Divergences are the records of all chains, in order.
func (p *Posterior) Divergences() []Divergence {
	var all []Divergence
	for _, c := range p.Chains {
		all = append(all, c.Divergences...)
	}
	return all
}

// Last returns the last unconstrained draw of a chain, or nil.
func (p *Posterior) Last(chain int) []float64 {
	if chain >= len(p.Unconstrained) || len(p.Unconstrained[chain]) == 0 {
		return nil
	}
	c := p.Unconstrained[chain]
	return c[len(c)-1]
}

func fillNaN(x []float64) {
	for i := range x {
		x[i] = math.NaN()
	}
}
