// This file defines what some methods need beyond a target. A model's evaluator
// implements what it can; methods ask with Capability and name what is missing.

package infer

import (
	"fmt"
	"math/rand/v2"
)

// Tempered is a target whose prior and likelihood are separate terms of one
// evaluation. Both include all constants, so that the normalising constant of
// prior + likelihood is log p(y).
type Tempered interface {
	Target
	// LogDensityParts returns the log prior, log Jacobian of the constraint
	// transforms included, and the log likelihood at q.
	LogDensityParts(q []float64) (prior, likelihood float64, err error)
	// LogDensityPartsGrad also fills grad with the gradient of
	// prior + beta*likelihood.
	LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error)
}

// PriorSampler draws from the prior: proper, and truncated where the parameters are constrained.
type PriorSampler interface {
	// DrawPrior fills q with an independent draw on the unconstrained scale.
	DrawPrior(r *rand.Rand, q []float64) error
}

// Conditionals is a target whose coordinates fall into blocks with full conditionals
// that are known: what gibbs sweeps over.
type Conditionals interface {
	Target
	// Blocks describes the blocks in the order of a sweep. All coordinates are in some
	// block; they may be in several. The caller must not change the slice.
	Blocks() []Block
	// Arrange puts the coordinates into other blocks than before: into those that can be drawn
	// jointly, with joint moves of scales, where b is zero, as at first. The error is a *GroupError
	// where a group cannot be drawn jointly.
	Arrange(b Blocking) error
	// DrawBlocks replaces the blocks at the given places of Blocks in q, one after the other,
	// each by a draw from its full conditional given the rest of q. It is called for blocks
	// with Exact set only; a block may stand there more than once.
	DrawBlocks(places []int, q []float64, r *rand.Rand) error
}

// A Block is a set of coordinates that are updated together.
type Block struct {
	Name   string // the parameters in it, as written in the program
	Form   string // of the full conditional: "normal", "gamma", "enumerated", ...; "slice" where it has no known form
	Exact  bool   // drawn from, or moved with the density left invariant, by DrawBlock; otherwise one coordinate after the other by slice sampling
	Coords []int  // positions in q
	Reason string // why no form was recognised; empty where one was
}

// Sections is a target of which one coordinate can be moved at little cost.
type Sections interface {
	Target
	// Section holds all coordinates of q but coordinate c fixed. It returns false where nothing
	// is gained: LogDensity serves.
	Section(c int, q []float64) (bool, error)
	// LogSection is the log density where that coordinate is v, up to a constant of the
	// section. Other calls end the section.
	LogSection(v float64) (float64, error)
	// LogJoint is LogDensity up to rounding, at less cost after block updates.
	LogJoint(q []float64) (float64, error)
}

// Sites is a target whose whole numbers are moved one at a time at the cost of the terms that
// each is in.
type Sites interface {
	Target
	// OpenSites begins at q. It returns false where nothing is gained: LogDensity serves. Other calls
	// than those to LogSite and MoveSite end it.
	OpenSites(q []float64) (bool, error)
	// LogSite is the log density where coordinate c, a whole number, is v, up to a constant
	// that is the same for all of its values. It may be -Inf or NaN.
	LogSite(c int, v float64) float64
	// MoveSite sets coordinate c.
	MoveSite(c int, v float64)
}

// Simulator is a Model that is also a generative program. It is safe for concurrent use.
type Simulator interface {
	Model
	// DrawJoint fills q, len(q) == Dim(), with an independent draw from the prior, and returns
	// observations drawn given these parameters. The error is a *MissingError where the model is
	// not generative.
	DrawJoint(r *rand.Rand, q []float64) (Dataset, error)
	// DrawData returns observations drawn given the parameters q, len(q) == Dim(), which
	// it does not change. The prior need not be proper. The error is a *MissingError
	// where the observations cannot be drawn so.
	DrawData(r *rand.Rand, q []float64) (Dataset, error)
	// Rebound returns the same model with other observations, which must come from
	// DrawJoint or DrawData of this model or one rebound from it. It shares all that does not
	// depend on them.
	Rebound(y Dataset) (Model, error)
}

// Augmentable is a Simulator that can be given a simulated data set beside the one at hand.
type Augmentable interface {
	Simulator
	// Augmented is the model given both, whose density is the prior times both likelihoods: y comes from DrawData. The
	// columns are those of the model rebound to y. The error is a *MissingError where there is no such model.
	Augmented(y Dataset) (Model, error)
}

// Dataset holds the values of a model's observations.
type Dataset interface {
	// Numbers returns them as one vector, in the same order for all draws of a model. The
	// caller must not change the slice.
	Numbers() []float64
}

// A MissingError reports that a model lacks what a method needs.
type MissingError struct {
	Method string // who asks
	Needs  string // what for, in words: "a proper prior to start from"
	Reason error  // why the model has none; may be nil
}

// Error implements error.
func (e *MissingError) Error() string {
	if e.Reason == nil {
		return fmt.Sprintf("%s needs %s, which this model does not have", e.Method, e.Needs)
	}
	return fmt.Sprintf("%s needs %s, which this model does not have: %v", e.Method, e.Needs, e.Reason)
}

// Unwrap returns the reason.
func (e *MissingError) Unwrap() error { return e.Reason }

// Splitter is a Target that knows whether its log density falls into prior and likelihood.
type Splitter interface {
	// Splits returns why the log density cannot be split, nil where it can.
	Splits() error
}

// Split returns prior and likelihood of a target as separate terms. The error, a
// *MissingError, names the method that asks and says why there are none.
func Split(method string, t Target) (Tempered, error) {
	parts, ok := Capability[Tempered](t)
	var reason error
	if s, knows := Capability[Splitter](t); knows {
		reason = s.Splits()
	}
	if !ok || reason != nil {
		return nil, &MissingError{Method: method, Needs: "prior and likelihood as separate terms", Reason: reason}
	}
	return parts, nil
}

// Completed is a Simulator some of whose parameters, the discrete ones, may not be among
// its coordinates but be summed out.
type Completed interface {
	Simulator
	// Whole is the model with all parameters as coordinates, the discrete ones last.
	Whole() Simulator
	// Complete returns the coordinates in Whole of a point of this model or of Whole; row has
	// values of the model's columns, of which those of discrete parameters are taken.
	Complete(q, row []float64) []float64
}
