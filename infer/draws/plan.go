// This file defines what passes between a run loop and whoever watches it:
// the plan of a run, a row, and the tuning of a chain.

package draws

import "time"

// Plan reports what a run is going to produce. It is fixed before the first draw.
type Plan struct {
	Method     string   // "nuts", "advi", ...
	Chains     int      // number of chains (1 for methods without chains)
	Warmup     int      // warm-up transitions a chain; the most, of a run whose warm-up ends when it has settled
	Draws      int      // draws kept a chain; the most, of a run that ends when they are precise enough
	MostWarmup int      // what Warmup was before such a run; 0 of others
	MostDraws  int      // what Draws was before such a run; 0 of others
	Thin       int      // transitions per draw kept, at least 1
	SaveWarmup bool     // warm-up draws are recorded too
	Seed       uint64   // seed of all random streams
	Stats      []string // sampler columns after lp__, such as "accept_stat__"
	Columns    []string // model columns, such as "theta.1"
	Config     []Entry  // the method's settings in CmdStan's tree
	Remarks    []string // what that tree has no words for, each a line of plain text
}

// Entry is a node of the tree of settings that CmdStan prints into its files.
// Value is a string, bool, int or float64; nil for a node that only groups.
type Entry struct {
	Name     string
	Value    any
	Default  bool // the value is CmdStan's own default
	Choice   bool // the value is one of several, and may have a branch of its own
	Children []Entry
}

// Find returns the value of the first entry of that name, depth first.
func Find(entries []Entry, name string) (any, bool) {
	for _, e := range entries {
		if e.Name == name && e.Value != nil {
			return e.Value, true
		}
		if v, ok := Find(e.Children, name); ok {
			return v, true
		}
	}
	return nil, false
}

// Row is one draw of one chain. Its slices belong to the sampler and are valid
// during the call that hands the row over.
type Row struct {
	Chain      int       // from 0
	Iteration  int       // draw within its phase, from 0
	Warmup     bool      // drawn during warm-up
	LogDensity float64   // lp__: on the unconstrained scale
	Stats      []float64 // in the order of Plan.Stats
	Values     []float64 // in the order of Plan.Columns
	Point      []float64 // on the unconstrained scale; nil unless the run keeps these
}

// Step reports how far a chain is.
type Step struct {
	Chain       int     // from 0
	Done        int     // transitions done, warm-up included
	Total       int     // transitions planned up to the next stop of the run
	WarmupTotal int     // those of them that belong to warm-up
	Warmup      bool    // this was a warm-up transition
	StepSize    float64 // of this transition; 0 for methods without one
	Divergences int     // of this chain so far, after warm-up
}

// Metric names, as CmdStan writes them.
const (
	MetricUnit     = "unit_e"
	MetricDiagonal = "diag_e"
	MetricDense    = "dense_e"
	MetricLowRank  = "low_rank" // none of CmdStan's; its readers are told the scales as a diagonal
)

// Adaptation is what warm-up learned about one chain.
type Adaptation struct {
	StepSize   float64   `json:"stepsize,omitempty"` // 0 of methods without one
	Delta      float64   `json:"delta,omitempty"`    // acceptance statistic that it was tuned to; 0 of methods that tune to none
	MetricType string    `json:"metric_type,omitempty"`
	InvMetric  []float64 `json:"inv_metric,omitempty"` // diagonal: n numbers; dense: n*n, row by row; unit: none
	// A low-rank metric is S (1 + U (L - 1) U') S: S squared is InvMetric, L the stretches,
	// and the columns of U are the directions, one after the other.
	Stretch    []float64 `json:"stretch,omitempty"`
	Directions []float64 `json:"directions,omitempty"`
	// Widths are those of slices, by coordinate; 0 where a coordinate is drawn otherwise.
	Widths []float64 `json:"widths,omitempty"`
}

// ChainEnd closes a chain. Chains whose gradients are evaluated together share the time that
// passes.
type ChainEnd struct {
	WarmupTime   time.Duration
	SamplingTime time.Duration
	Warmup       int  // transitions of warm-up that were made
	Incomplete   bool // the chain was cut short
}
