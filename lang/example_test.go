package lang_test

import (
	"context"
	"fmt"
	"os"

	"github.com/seed-12b88e03/ppl/lang"
)

const coin = `
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real<lower=0, upper=1> theta;
}
model {
  theta ~ beta(1, 1);
  y ~ bernoulli(theta);
}
`

// A fit from Go: compile, bind, run. The exact posterior is beta(4, 8).
func Example() {
	fit, err := fitCoin()
	if err != nil {
		fmt.Fprint(os.Stderr, lang.ErrorText(err))
		return
	}
	for _, s := range fit.Summaries {
		if s.Name == "theta" {
			fmt.Printf("%s: mean %.1f, sd %.1f\n", s.Name, s.Mean, s.SD)
		}
	}
	// Output: theta: mean 0.3, sd 0.1
}

func fitCoin() (*lang.Fit, error) {
	prog, err := lang.Compile("coin.ppl", coin, lang.Options{})
	if err != nil {
		return nil, err
	}
	in, err := lang.Data(map[string]any{"N": 10, "y": []int{0, 1, 0, 0, 0, 0, 0, 0, 1, 1}})
	if err != nil {
		return nil, err
	}
	model, err := prog.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		return nil, err
	}
	method, err := prog.Method("nuts(draws = 500, chains = 2)")
	if err != nil {
		return nil, err
	}
	return model.Run(context.Background(), method, lang.RunOptions{Seed: 1})
}

// Errors are rendered with their place.
func ExampleErrorText() {
	_, err := lang.Compile("typo.ppl", "parameters { real mu; }\nmodel { nu ~ normal(0, 1); }\n", lang.Options{})
	fmt.Print(lang.ErrorText(err))
	// Output:
	// typo.ppl:2:9: error: "nu" is not declared here [undeclared-name]
	//     model { nu ~ normal(0, 1); }
	//             ^~
	//   help: did you mean "mu"?
}
