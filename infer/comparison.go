// This file defines the comparisons that a density makes.

package infer

// A Comparison is one of two numbers that an evaluation of a log density met, and that depends on the point: the density may jump where
// its result changes.
type Comparison struct {
	Site, Turn int       // where it is written, and how many were met there before
	Margin     float64   // the left side less the right one
	Grad       []float64 // of Margin
	Holds      bool      // whether it does; of a maximum or minimum, whether it is the left side
}
