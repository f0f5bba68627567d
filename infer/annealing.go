// This file defines what annealing asks of targets and kernels: the
// temperature of a target, and the time reversal of a kernel.

package infer

// Annealed is a target prior + beta*likelihood whose beta is moved while a
// kernel works on it; the kernel's Start is called after each change. It is no
// Wrapper on purpose: what the target behind it can do (full conditionals, say)
// holds at beta 1 only, so a kernel that wants more than a density asks for
// Annealed and scales what it finds behind Base by Beta.
type Annealed interface {
	Target
	// Beta is the inverse temperature in use.
	Beta() float64
	// Base is the target whose parts are being annealed.
	Base() Tempered
}

// Invertible is a kernel whose time reversal is known, as annealing in both
// directions requires. K' is the reversal of K with respect to a density f if
// f(x) K(x, y) = f(y) K'(y, x).
type Invertible interface {
	Kernel
	// Pair returns a kernel and its reversal, which share target, tuning and
	// scratch memory with the receiver and follow changes of both. Reversible
	// kernels return one kernel twice, sweeps a sweep and the sweep in the
	// opposite order. The forward kernel may differ from the receiver where
	// that is needed for the relation to hold exactly.
	Pair() (forward, reverse Kernel)
}

// AnnealingReport describes the path of an annealing method. The slices
// have one element for each temperature after the first, in order.
type AnnealingReport struct {
	Beta     []float64 // inverse temperature, the last one 1
	Accept   []float64 // average acceptance statistic of the moves there
	StepSize []float64 // of the kernel there; 0 for kernels without one
}
