package lang_test

import (
	"testing"
)

func TestTmpRegion(t *testing.T) {
	for _, text := range []string{
		"parameters { vector[2] x; } model { x ~ normal(0,1.164); if (squared_distance(x,[-1.1966,0.5727]')/0.00178329 < 1) target += 8.38139; }",
		"parameters { vector[5] x; } model { x ~ normal(0,1); int k = 0; for (i in 1:5) if (x[i] > 0.3 && x[i] < 0.32) k += 1; if (k == 5) target += 26; }",
		"parameters { vector[5] x; } model { x ~ normal(0,1); if (squared_distance(x,[-1.1966,0.5727,0.3,0.1,-0.4]')/0.01 < 1) target += 16; }",
	} {
		for _, m := range []string{"laplace()"} {
			fit := fitOf(t, text, nil, m, 1)
			for _, s := range fit.Summaries[:2] {
				t.Log(s.Name, s.Mean, s.SD)
			}
			t.Logf("%+v", fit.Posterior.Population)
			for _, f := range fit.Findings {
				t.Log(f)
			}
		}
	}
}
