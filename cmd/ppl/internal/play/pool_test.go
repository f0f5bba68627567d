package play

// This file holds the draws of a pool to those of a run in one place.

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/legs"
	"github.com/seed-12b88e03/ppl/infer"
)

// A colleague is a hand that is told by wire, as another worker is.
type colleague struct {
	Mover
	moved *atomic.Int64
}

func (c *colleague) Move(ctx context.Context, e *Errand) (*infer.Passage, error) {
	c.moved.Add(1)
	text, err := legs.Encode(e)
	if err != nil {
		return nil, err
	}
	got, err := legs.Decode[Errand](text)
	if err != nil {
		return nil, err
	}
	p, err := c.Mover.Move(ctx, got)
	if err != nil {
		return nil, err
	}
	if text, err = legs.EncodePassage(p); err != nil {
		return nil, err
	}
	return legs.DecodePassage(text)
}

const grouped = `data { int N; vector[N] x; vector[N] y; }
parameters { real a; vector[N] b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(a, s); s ~ exponential(1); y ~ normal(b, 1); if (s > 30) reject("s is ", s); }
generated quantities { real g = normal_rng(a, s); }`

// Whoever moves the chains, and whenever hands join, the answer and all draws are those of a run without a pool; the pool's own
// hand has an errand, and none once enough have joined.
func TestPoolChangesNothing(t *testing.T) {
	for _, method := range []string{"nuts()", "nuts(warmup = 150, draws = 130, thin = 2)", "hmc(warmup = 100, draws = 100)", "mh(draws = 300)", "gibbs(draws = 300)", "sgld(draws = 300)", "walnuts(warmup = 100, draws = 50)", "nuts(chains = 2, warmup = 0, draws = 20)", "advi()"} {
		q := Question{Model: grouped, Data: points, Method: method, Seed: 5}
		want, more := Run(t.Context(), q, infer.Ignore{}, nil)
		if want.Error != "" {
			t.Fatal(want.Error)
		}
		all, err := more()
		if err != nil {
			t.Fatal(err)
		}
		var moved, own atomic.Int64
		pool := NewPool(&colleague{moved: &own}, 2)
		for i := range 2 {
			time.AfterFunc(time.Duration(i*10)*time.Millisecond, func() { pool.Join(&colleague{moved: &moved}) })
		}
		got, more := Run(t.Context(), q, infer.Ignore{}, pool)
		if got.Error != "" {
			t.Fatal(method, got.Error)
		}
		list, err := more()
		if err != nil {
			t.Fatal(err)
		}
		if list[0].CSV != all[0].CSV || len(got.Fits[0].Findings) != len(want.Fits[0].Findings) {
			t.Errorf("%s: other draws than without a pool", method)
		}
		if method != "advi()" && own.Load() == 0 || method == "advi()" && own.Load() > 0 {
			t.Errorf("%s: %d errands by the pool's own hand, %d by others", method, own.Load(), moved.Load())
		}
	}
}

// What is stopped keeps the draws so far, and an error of a hand is one of the run.
func TestPoolStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var moved atomic.Int64
	pool := NewPool(nil, 2)
	pool.Join(&colleague{moved: &moved})
	pool.Join(&colleague{moved: &moved})
	q := Question{Model: "parameters { real x; } model { x ~ normal(0, 1); }", Method: "nuts(chains = 2, warmup = 50, draws = 100000000)"}
	a, _ := Run(ctx, q, stopper{stop: stop}, pool)
	if a.Error != "" || !a.Fits[0].Incomplete || a.Fits[0].Draws < 50 {
		t.Errorf("%+v", a)
	}
	pool = NewPool(nil, 1)
	pool.Join(broken{})
	if a, _ = Run(t.Context(), q, infer.Ignore{}, pool); a.Error != "error: the hand is gone\n" && a.Error != "the hand is gone" {
		t.Errorf("found %q", a.Error)
	}
}

// broken is a hand that fails.
type broken struct{}

func (broken) Move(context.Context, *Errand) (*infer.Passage, error) {
	return nil, errors.New("the hand is gone")
}
