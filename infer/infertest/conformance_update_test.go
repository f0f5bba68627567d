package infertest_test

// This file has the row of update.

import (
	"context"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	infupdate "github.com/seed-12b88e03/ppl/infer/update"
)

// updated is a test method: an update of its own posterior, from draws of another method, by which the posterior must
// come back.
type updated struct{ from, move infer.Method }

func (updated) Name() string { return infupdate.Method{}.Name() }

func (u updated) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	p, err := u.from.Run(ctx, m, infer.Options{Seed: o.Seed, Jobs: o.Jobs, KeepUnconstrained: true})
	if err != nil || p.Incomplete {
		return p, err
	}
	old := infupdate.Options{Old: m, Points: slices.Concat(p.Unconstrained...), Move: u.move, Refit: u.from}
	return infupdate.Method{Options: old}.Run(ctx, m, o)
}

func updateRows() []row {
	return []row{{name: "update", kind: weighted, inflate: 2, method: func(t testing.TB) infer.Method {
		return updated{newNUTS(t), newSMC(newHMC(draws.MetricDiagonal), 5, true)(t)}
	}}}
}
