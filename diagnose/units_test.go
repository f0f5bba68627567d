package diagnose_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
)

// squares runs five units, i to i^2, of which one may fail or end the run; ran counts them.
func squares(ctx context.Context, o infer.Options, at func(i int) error) (done []*int, ran int, err error) {
	count, err := diagnose.NewCounter(o.Observer, "squares", 5)
	if err != nil {
		return nil, 0, err
	}
	var mu sync.Mutex
	done, err = diagnose.Units(ctx, count, o, 5, func(i int) string { return fmt.Sprint("unit ", i) }, func(x int) bool { return x >= 0 },
		func(_ context.Context, i int) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			ran++
			return i * i, at(i)
		})
	return done, ran, err
}

// text lists units, those that are missing as "-".
func text(done []*int) string {
	var out []string
	for _, x := range done {
		if x == nil {
			out = append(out, "-")
		} else {
			out = append(out, fmt.Sprint(*x))
		}
	}
	return strings.Join(out, " ")
}

func TestUnits(t *testing.T) {
	fine := func(int) error { return nil }
	for _, test := range []struct {
		name  string
		o     infer.Options
		want  string
		units int
	}{
		{"all", infer.Options{Jobs: 1}, "0 1 4 9 16", 5},
		{"several at a time", infer.Options{Jobs: 3}, "0 1 4 9 16", 5},
		{"the first of two shares", infer.Options{Jobs: 2, Share: infer.Share{Index: 1, Of: 2}}, "0 - 4 - 16", 3},
		{"the second of two shares", infer.Options{Jobs: 2, Share: infer.Share{Index: 2, Of: 2}}, "- 1 - 9", 2},
	} {
		done, ran, err := squares(context.Background(), test.o, fine)
		if got := text(done); err != nil || got != test.want || ran != test.units {
			t.Errorf("%s: %s (%d run, error %v), want %s (%d)", test.name, got, ran, err, test.want, test.units)
		}
	}

	failure := errors.New("no")
	if _, _, err := squares(context.Background(), infer.Options{Jobs: 1}, func(i int) error {
		if i == 2 {
			return failure
		}
		return nil
	}); !errors.Is(err, failure) {
		t.Errorf("a unit that fails: error %v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	done, _, err := squares(ctx, infer.Options{Jobs: 1}, func(i int) error {
		if i == 2 {
			cancel()
			return ctx.Err()
		}
		return nil
	})
	if got := text(done); err != nil || got != "0 1" {
		t.Errorf("interrupted: %s (error %v)", got, err)
	}
}

// What a store has is not run again, unless it is none of the diagnosis.
func TestUnitsAreKept(t *testing.T) {
	store := memory{"unit 1": []byte("77")}
	o := infer.Options{Jobs: 1, Observer: diagnose.WithStore(nil, store)}
	fine := func(int) error { return nil }
	done, ran, err := squares(context.Background(), o, fine)
	if got := text(done); err != nil || got != "0 77 4 9 16" || ran != 4 {
		t.Errorf("one kept: %s (%d run, error %v)", got, ran, err)
	}
	if done, ran, err = squares(context.Background(), o, fine); err != nil || text(done) != "0 77 4 9 16" || ran != 0 {
		t.Errorf("all kept: %s (%d run, error %v)", text(done), ran, err)
	}
	store["unit 3"] = []byte("-1")
	if _, _, err = squares(context.Background(), o, fine); err == nil || !strings.Contains(err.Error(), `"unit 3"`) {
		t.Errorf("a part of something else: error %v", err)
	}
}
