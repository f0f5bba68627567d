package gvi_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
)

// Minibatches are for one objective; the refusal names what is in the way.
func TestBatchIsRefused(t *testing.T) {
	for want, change := range map[string]func(*gvi.Options){
		"at least 1":   func(o *gvi.Options) { o.Batch = -1 },
		"loss = nll()": func(o *gvi.Options) { o.Loss = gvi.Loss{Name: "beta", Order: 1.5} },
		"multiple of kl": func(o *gvi.Options) {
			o.Divergence = divergence.Divergence{{Kind: divergence.Renyi, Params: [3]float64{0.5}}}
		},
		"one normal":     func(o *gvi.Options) { o.Family = gvi.Conjugate },
		"have a density": func(o *gvi.Options) { o.Point = []string{"sigma"} },
		"reparametrised": func(o *gvi.Options) { o.Estimator = gvi.BBVI },
	} {
		o := gvi.DefaultOptions()
		o.Batch = 10
		change(&o)
		if _, err := gvi.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	o := gvi.DefaultOptions()
	o.Batch = 10
	if _, err := gvi.New(o); err != nil {
		t.Error(err)
	}
}
