package lang

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// TestFitsInsideDiagnoses: the fit that a diagnosis makes of the data at hand learns the centring of effects, as the same
// method run by itself does.
func TestFitsInsideDiagnoses(t *testing.T) {
	const text = `data { int J; vector[J] y; } parameters { real<lower=0> tau; vector[J] theta; }
model { tau ~ normal(0, 1); theta ~ normal(0, tau); y ~ normal(theta, 10); }`
	p, err := Compile("model.stan", text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.ReadData(strings.NewReader(`{"J": 4, "y": [3, -8, 12, 1]}`), "data.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for directive, method := range map[string]func(*builder, *check.CheckedMethod) (infer.Method, error){
		"posterior_predictive(nuts(), calibration = 0)": func(b *builder, c *check.CheckedMethod) (infer.Method, error) {
			o, err := b.predictiveOptions(c)
			return o.Method, err
		},
		`bread(nuts(), data = "given")`: func(b *builder, c *check.CheckedMethod) (infer.Method, error) {
			o, err := b.breadOptions(c)
			return o.Fit, err
		},
		`bread(nuts(), data = "fitted")`: func(b *builder, c *check.CheckedMethod) (infer.Method, error) {
			o, err := b.breadOptions(c)
			return o.Fit, err
		},
	} {
		d, err := p.Diagnosis(directive)
		if err != nil {
			t.Fatal(err)
		}
		run, err := method(&builder{program: p, info: d.info}, d.checked)
		if err != nil {
			t.Fatal(err)
		}
		post, err := run.Run(context.Background(), m.bound, infer.Options{Seed: 1, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if post.Stopping == nil || len(post.Stopping.Centring) == 0 || !(post.Stopping.Centring[0].Least < 1) {
			t.Errorf("%s: effects are as they are written: %+v", directive, post.Stopping)
		}
	}
}
