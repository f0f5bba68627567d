// This file has sums of a log density evaluated in parts elsewhere.

package infer

// A Sum names a sum of a model's log density that is evaluated in parts: one of those of the program that was recorded at a
// point. An equal model, of the same program, data, seed and options, has the same sum of the same parts.
type Sum struct {
	At       []float64 // unconstrained
	Jacobian bool      // the log density has the log Jacobian of the transforms
	Index    int       // among the sums of that program, from 0
	Values   []float64 // of its parts at that point, by which models that are not equal are told apart
}

// A Deputy evaluates parts of sums elsewhere. The parts are those of an evaluation here and are added here, in their order, so
// that it makes no difference to a result who evaluates them. It may be called from several goroutines.
type Deputy interface {
	// Parts evaluates the parts of a sum at its inputs. It hands over the value of each and, where it is asked for, its gradient with
	// respect to the inputs that the part depends on, in their order; take copies it, and is called by one goroutine at a time.
	// Parts that are not handed over, since they fail or nobody has them, are evaluated here.
	Parts(s *Sum, in [][]float64, gradient bool, take func(part int, value float64, gradient []float64))
}
