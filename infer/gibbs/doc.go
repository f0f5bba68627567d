// Package gibbs is the Gibbs sampler over full conditionals that the model supplies.
//
// A transition is one sweep over the target's blocks (infer.Conditionals), in their
// order. A block with a known full conditional is replaced by an exact draw from it;
// a joint move of a scale with what it scales leaves the joint density invariant. Every other coordinate is updated by slice sampling on the unconstrained scale with
// stepping out and shrinkage (Neal, "Slice sampling", Ann. Statist. 31, 2003, figures
// 3 and 5): each update leaves the joint density invariant, so the sweep does.
//
// During warm-up the width of each slice coordinate follows the distances that its
// updates cover: it is set to 4/3 of their running mean, within [1e-6, 1e6]. After
// warm-up it is fixed. Sweeps are not reversible; a palindromic sweep (Options.
// Palindrome) visits the blocks forwards and then backwards and is its own reversal,
// which annealing needs.
//
// Where the model says which terms a whole number is in (infer.Sites), its update costs
// these, and a sweep over a field of many such numbers is in proportion to their number.
//
// Where the model supplies sections (infer.Sections), a point of a slice costs what
// depends on the one coordinate, and a sweep's log density what its statistics cost.
//
// A Kernel and its Tuner belong to one goroutine.
package gibbs
