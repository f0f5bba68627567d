package sgld

import "github.com/seed-12b88e03/ppl/infer"

// Chains is the method as what the run loop takes.
func Chains(m *Method) infer.Markov { return chains{m} }
