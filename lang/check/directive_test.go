package check_test

// This file tests checked directives: defaults, sharing, overriding, printing.

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

const directiveModel = `data { real y; real s; }
parameters { real mu; real<lower=0> tau; }
model { mu ~ normal(0, tau); tau ~ cauchy(0, 1); y ~ normal(mu, 1); }
`

func TestDirectives(t *testing.T) {
	_, info := mustCheck(t, directiveModel+`inference {
  fit = nuts(draws = 1e4);
  quick = advi(divergence = [mu: renyi(0.5), tau: sum(kl(), kl(2))], loss = square(y - mu));
  other = prior_swap(fit) { mu ~ normal(0, s * tau); tau ~ cauchy(0, 1) T[0, ]; }
  diagnose bread(fit, steps = [1, 2], hyper = [tau], statistics = [mu / tau, log(tau)], warm = true);
  diagnose bread(advi(family = "fullrank"));
}
`)
	var got []string
	for _, d := range info.Directives {
		got = append(got, d.Name+": "+d.Method.String())
	}
	want := []string{
		"fit: nuts(draws = 10000)",
		"quick: advi(loss = square(y - mu), divergence = [mu: renyi(0.5), tau: sum(kl(1), kl(2))])",
		"other: prior_swap(nuts(draws = 10000)) { mu ~ normal(0, s * tau); tau ~ cauchy(0, 1) T[0, ]; }",
		": bread(nuts(draws = 10000), steps = [1, 2], warm = true, hyper = [tau], statistics = [mu / tau, log(tau)])",
		": bread(advi(family = \"fullrank\"))",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	fit := info.Directives[0].Method
	if fit.Binding != "fit" || info.Directives[2].Method.Inner != fit || info.Directives[3].Method.Inner != fit {
		t.Error("uses of a binding must share its method")
	}
	if fit.Int("draws") != 10000 || fit.Real("delta") != 0.8 || fit.Given("delta") || !fit.Given("draws") {
		t.Errorf("values: %v", fit.Args)
	}
	swap := info.Directives[2].Method
	if swap.Args["with"].Method.Row.Name != "nuts" || len(swap.Swap) != 2 || info.Samples[swap.Swap[0].(*ast.Sample)].Name != "normal_lpdf" {
		t.Errorf("swap: %v", swap.Args)
	}
	stat := info.Directives[3].Method.Args["statistics"].List[0]
	if info.Types[stat.Expr].String() != "real" {
		t.Errorf("statistics: %v", info.Types[stat.Expr])
	}
	if steps := info.Directives[4].Method.Args["steps"]; len(steps.List) != 2 || steps.List[1].Int != 100 {
		t.Errorf("steps: %v", steps)
	}
}

func checkMethod(t *testing.T, text string, diagnose bool, info *check.Info) (*check.CheckedMethod, *check.Info, int) {
	t.Helper()
	m, problems := parser.ParseMethod(source.NewFile("flag", text))
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted())
	}
	checked, extra, problems := check.CheckMethod(m, diagnose, info, methods())
	return checked, extra, problems.Len()
}

func TestCheckMethod(t *testing.T) {
	_, info := mustCheck(t, directiveModel+"inference { fit = nuts(); }\n")
	m, extra, n := checkMethod(t, "bread(fit, statistics = [mu + 1])", true, info)
	if n != 0 || m.Inner != info.Directives[0].Method {
		t.Errorf("%d problems, %v", n, m)
	}
	if x := m.Args["statistics"].List[0].Expr; extra.Types[x].String() != "real" || extra.Uses[x.(*ast.Binary).L.(*ast.Ident)].Kind != check.ParameterVar {
		t.Error("types of the method's own expressions are missing")
	}
	for text, diagnose := range map[string]bool{"bread(nuts())": false, "nuts()": true, "nope()": false, "nuts(draws = 0)": false} {
		if m, _, n := checkMethod(t, text, diagnose, info); n != 1 || m != nil {
			t.Errorf("%s: %d problems, wanted 1", text, n)
		}
	}
}

func TestOverride(t *testing.T) {
	_, info := mustCheck(t, directiveModel+"inference { fit = nuts(); }\n")
	m := info.Directives[0].Method.Clone()
	if err := m.Override(methods(), "draws", "20"); err != nil || m.Int("draws") != 20 || info.Directives[0].Method.Int("draws") != 1000 {
		t.Errorf("%v, %v", err, m.Args["draws"])
	}
	for _, bad := range [][2]string{{"draws", "0"}, {"draws", "1.5"}, {"draws", "x"}, {"delta", "1"}, {"deltas", "0.5"}} {
		if err := m.Override(methods(), bad[0], bad[1]); err == nil {
			t.Errorf("%s = %s was accepted", bad[0], bad[1])
		}
	}
}
