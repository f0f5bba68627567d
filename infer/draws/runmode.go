// This file defines the part of run.json that tells what the end of a search for a mode
// looks like.

package draws

// ModeRun is what is known of the density where a search for a mode ended.
type ModeRun struct {
	Decrement Number   `json:"decrement"`      // rise of the log density that Newton's method expects, in nats
	Open      *OpenRun `json:"open,omitempty"` // a coordinate along which the density does not fall; null where there is none
}

// OpenRun is a coordinate along which the density does not fall.
type OpenRun struct {
	Coordinate int    `json:"coordinate"` // from 0, on the unconstrained scale
	Name       string `json:"name"`       // of its parameter; empty where it has none
	Rises      bool   `json:"rises"`      // it rises, rather than staying as it is
	Unbounded  bool   `json:"unbounded"`  // it still rises a thousand times as far away
	Rise       Number `json:"rise"`       // in nats, over a step of what should be three standard deviations
}
