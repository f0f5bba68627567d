package lang_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
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

// Data from a struct. Fields that the program does not declare are passed over.
func ExampleProgram_DataFrom() {
	type day struct {
		Label  string
		Tosses int   `ppl:"N"`
		Heads  []int `ppl:"y"`
	}
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.DataFrom(day{Label: "Monday", Tosses: 3, Heads: []int{0, 1, 1}})
	}))
	fmt.Println(model.Dim(), model.Columns())
	// Output: 1 [theta]
}

// Data from JSON, as of a request's body.
func ExampleProgram_ReadData() {
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.ReadData(strings.NewReader(`{"N": 3, "y": [0, 1, 1]}`), "request")
	}))
	fmt.Println(model.Dim(), model.Columns())
	// Output: 1 [theta]
}

// The log density at a point of the unconstrained scale, here the logit of theta, with its
// gradient; and the way between the scales. Two heads in three tosses have the density
// theta^2 (1 - theta), and the Jacobian is theta (1 - theta): at theta = 1/2 that is 2^-5.
func ExampleModel_Gradient() {
	model := must(bind(func(*lang.Program) (*data.Set, error) {
		return lang.Data(map[string]any{"N": 3, "y": []int{0, 1, 1}})
	}))
	q := must(model.UnconstrainRow([]float64{0.5}))
	lp, gradient, err := model.Gradient(q)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("q = %.1f, log2 density %.1f, gradient %.1f\n", q[0], lp/0.6931471805599453, gradient[0])
	bare := must(model.Density(false, false).LogDensity(q)) // without the Jacobian
	fmt.Printf("without Jacobian %.1f\n", bare/0.6931471805599453)
	fmt.Printf("theta = %.2f\n", must(model.Constrain([]float64{1}, 0))[0])
	// Output:
	// q = 0.0, log2 density -5.0, gradient 0.5
	// without Jacobian -3.0
	// theta = 0.73
}

// Draws by name: of one number, and of a whole variable.
func ExampleFit_Numbers() {
	fit := must(fitCoin())
	theta := must(fit.Numbers("theta"))
	above := 0
	for _, x := range theta {
		if x > 0.5 {
			above++
		}
	}
	array := must(fit.Array("theta"))
	fmt.Printf("%d draws, %.1f of them above one half; sizes %v\n", len(theta), float64(above)/float64(len(theta)), array.Dims)
	// Output: 1000 draws, 0.1 of them above one half; sizes []
}

// An observer sees the draws as they are made; a context ends the run, and the fit has the
// draws until then.
func ExampleModel_Run() {
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.ReadData(strings.NewReader(`{"N": 3, "y": [0, 1, 1]}`), "data")
	}))
	method := must(model.Program.Method("nuts(draws = 1000000, chains = 1)"))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := &counter{enough: cancel, want: 200}
	fit := must(model.Run(ctx, method, lang.RunOptions{Seed: 1, Observer: watch}))
	n := fit.Posterior.Draws.Total()
	fmt.Println(fit.Posterior.Incomplete, n >= 200 && n < 1000000, n == int(watch.seen.Load()))
	// Output: true true true
}

// A counter ends a run after some draws. Observers are called from several goroutines.
type counter struct {
	infer.Ignore
	enough func()
	want   int64
	seen   atomic.Int64
}

func (c *counter) Draw(draws.Row) error {
	if c.seen.Add(1) == c.want {
		c.enough()
	}
	return nil
}

// What the checks say of a fit is data, too.
func ExampleFit() {
	fit := must(fitCoin())
	for _, f := range fit.Findings {
		if f.Name == "divergences" {
			text := must(json.Marshal(f.Severity))
			fmt.Printf("%s: %s\n", f.Name, text)
		}
	}
	// Output: divergences: "good"
}

// bind compiles the model of a coin and binds it to data.
func bind(read func(*lang.Program) (*data.Set, error)) (*lang.Model, error) {
	prog, err := lang.Compile("coin.ppl", coin, lang.Options{})
	if err != nil {
		return nil, err
	}
	in, err := read(prog)
	if err != nil {
		return nil, err
	}
	return prog.Bind(in, lang.BindOptions{})
}

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(lang.ErrorText(err))
	}
	return x
}

// A method around another one: the evidence by bridge sampling from the draws of nuts. Three
// heads in ten tosses, in their order, have the probability 3! 7! / 11!, of which the
// logarithm is -7.186.
func ExampleProgram_Method() {
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.ReadData(strings.NewReader(`{"N": 10, "y": [0, 1, 0, 0, 0, 0, 0, 0, 1, 1]}`), "data")
	}))
	method := must(model.Program.Method("bridge(nuts(draws = 500))"))
	fit := must(model.Run(context.Background(), method, lang.RunOptions{Seed: 1}))
	fmt.Printf("log p(y) = %.1f nats\n", fit.Posterior.LogEvidence.Value)

	_, err := model.Program.Method("bridge(nuts(drawz = 500))")
	var wrong *lang.CompileError
	fmt.Println(errors.As(err, &wrong), wrong.Problems.Sorted()[0].Help)
	// Output:
	// log p(y) = -7.2 nats
	// true did you mean "draws"?
}

// A wrapper that judges a method: do intervals of the normal approximation at the mode hold
// what they promise for this model? With two tosses they do not.
func ExampleModel_Diagnose() {
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.ReadData(strings.NewReader(`{"N": 2, "y": [0, 1]}`), "data")
	}))
	for _, expr := range []string{"sbc(laplace(draws = 100))", "bread(map())"} {
		d, err := model.Program.Diagnosis(expr)
		if err != nil {
			fmt.Print(lang.ErrorText(err))
			continue
		}
		verdict := must(model.Diagnose(context.Background(), d, lang.RunOptions{Seed: 1, Jobs: 2}))
		fmt.Printf("%s: %s\n", verdict.Kind, must(json.Marshal(verdict.Severity)))
	}
	// Output:
	// sbc: "bad"
	// diagnosis:1:7: error: "bread" of "map" has no meaning: a mode is no sample [no-such-combination]
	//     bread(map())
	//           ^~~~~
}

// The way between the scales, by name and as rows of numbers.
func ExampleModel_Unconstrain() {
	prog := must(lang.Compile("scales.ppl", "parameters { real<lower=0> tau; simplex[3] w; }", lang.Options{}))
	model := must(prog.Bind(nil, lang.BindOptions{}))
	values := must(lang.Data(map[string]any{"tau": 1, "w": []float64{0.2, 0.3, 0.5}}))
	q := must(model.Unconstrain(values))
	fmt.Println(model.UnconstrainedNames(), len(q), q[0])
	row := must(model.Constrain(q, 0))
	fmt.Printf("%v %.1f\n", model.Columns(), row)
	_, err := model.UnconstrainRow([]float64{-1, 0.2, 0.3, 0.5})
	fmt.Println(err)
	// Output:
	// [tau w.1 w.2] 3 0
	// [tau w.1 w.2 w.3] [1.0 0.2 0.3 0.5]
	// scales.ppl:1:28: tau is -1, but must be greater than or equal to 0
}

// A data set from the prior, in the form that ReadData takes.
func ExampleModel_Simulate() {
	model := must(bind(func(p *lang.Program) (*data.Set, error) {
		return p.ReadData(strings.NewReader(`{"N": 5, "y": [0, 0, 0, 0, 0]}`), "data") // for the sizes
	}))
	drawn := must(model.Simulate(1))
	text := must(drawn.JSON())
	again := must(model.Program.ReadData(bytes.NewReader(text), "simulated"))
	fmt.Println(len(again.Vars["y"].X), "tosses")
	// Output: 5 tosses
}
