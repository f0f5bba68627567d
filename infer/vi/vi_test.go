package vi_test

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

func method(t *testing.T, change func(*vi.Options)) *vi.Method {
	t.Helper()
	o := vi.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := vi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func fit(t *testing.T, m infer.Model, o infer.Options, change func(*vi.Options)) *infer.Posterior {
	t.Helper()
	return infertest.Fit(t, method(t, change), m, o)
}
