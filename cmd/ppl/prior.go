package main

// This file is ppl prior: what priors expect of data, and numbers in them by what is expected.

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/elicit"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// priorCmd says what the priors of a model expect.
type priorCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.ModelFlags
	view.ColorFlag
	Show      []string        `placeholder:"EXPR" sep:"none" help:"A quantity, as an expression over the model's variables, such as 'mean(y)'; may be repeated. All observed variables without it, --plausible and --want."`
	Plausible []string        `placeholder:"RANGE" sep:"none" help:"The range that most of a quantity should be in, such as 'y: 0..200' or 'max(y): ..50'; may be repeated."`
	Want      []string        `placeholder:"QUANTILES" sep:"none" help:"Quantiles that a quantity should have, such as 'y: 5%=0 50%=2 95%=10': numbers in the priors are chosen by them; may be repeated."`
	Move      []string        `placeholder:"NAME" help:"Parameters whose priors --want may change, with commas or repeated; all without it."`
	Set       map[int]float64 `placeholder:"N=VALUE" help:"Another value of the N-th number in the priors, as the last table counts them: the quantiles then stand beside; with ; between them or repeated."`
	Sets      int             `placeholder:"N" default:"2000" help:"Data sets to simulate; 2000 without it, below 100 there is no verdict."`
	Jobs      int             `placeholder:"N" help:"Data sets at work at the same time; all processors without it."`
	JSON      bool            `name:"json" help:"All figures as JSON on standard output."`
	Strict    bool            `help:"Exit with code 3 where the verdict is not good."`
}

// setMemory is the least that a data set takes while its quantities are held, in bytes: a map of one number.
const setMemory = 256

// afford refuses more data sets than memory can hold.
func (c *priorCmd) afford() error {
	has, ok := stdlib.HeapMemory()
	if !ok {
		has = 1 << 40
	}
	if needs := setMemory * float64(c.Sets); needs > has {
		return &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("--sets %d: so many data sets need at least %s of memory, and this machine gives a program no more than %s", c.Sets, gigabytes(needs), gigabytes(has)),
			Help: "ask for fewer"}
	}
	return nil
}

// Help implements kong.HelpProvider.
func (*priorCmd) Help() string {
	return frame.Examples(
		"ppl prior model.ppl                      # what the priors expect of each observed variable",
		"ppl prior model.ppl --plausible 'y: 0..200' --show 'sd(y)'",
		"ppl prior model.ppl --want 'y: 5%=0 50%=2 95%=10'   # numbers in the priors that give this",
	)
}

// Run prints what the priors expect.
func (c *priorCmd) Run(a *frame.App) error {
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	o := lang.PriorOptions{Move: c.Move, Sets: c.Sets, Seed: c.SeedOr(1), Jobs: outputs.OrProcessors(c.Jobs)}
	if c.Sets < 1 {
		return frame.Wrongf("--sets must be positive, found %d", c.Sets)
	}
	if err := c.afford(); err != nil {
		return err
	}
	if len(c.Move) > 0 && len(c.Want) == 0 {
		return frame.Wrongf("--move belongs to --want, by which numbers are chosen")
	}
	if len(c.Set) > 0 && len(c.Want) > 0 {
		return frame.Wrongf("--set and --want: numbers are either set or found")
	}
	o.Set = c.Set
	var err error
	if o.Quantities, err = c.quantities(); err != nil {
		return err
	}
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return err
	}
	from := c.DataSource(a, p, c.Model)
	in, err := frame.WhileWaiting(ctx, func() (*data.Set, error) { return from.Read(a, p) })
	if err != nil {
		return err
	}
	o.Bind = lang.BindOptions{Seed: o.Seed, Print: a.Print, Impute: from.Impute}
	v, err := frame.WhileWaiting(ctx, func() (*diagnose.Verdict, error) { return p.Prior(ctx, in, o) })
	switch {
	case ctx.Err() != nil:
		return frame.EndedEarly(ctx)
	case input.Misnamed(err):
		return frame.Wrongf("--impute: %w", err)
	case err != nil:
		return frame.Wrong(err)
	}
	v.Directive = "priors of " + c.Model
	if c.JSON {
		err = writeVerdicts(a.Stdout, []*diagnose.Verdict{v})
	} else {
		err = (&diagnoseCmd{ColorFlag: c.ColorFlag}).show(a, v)
	}
	if err == nil && c.Strict && v.Severity != diagnose.Good {
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return err
}

var (
	quantityOf = regexp.MustCompile(`^(.+):\s*([^:]+)$`)
	rangeOf    = regexp.MustCompile(`^(\S*?)\s*\.\.\s*(\S*)$`)
	quantileOf = regexp.MustCompile(`^([0-9.]+)%\s*=\s*(\S+)$`)
)

// quantities are those of the flags, each once.
func (c *priorCmd) quantities() ([]elicit.Quantity, error) {
	var out []elicit.Quantity
	named := func(name string) *elicit.Quantity {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(out, func(q elicit.Quantity) bool { return q.Name == name })
		if i < 0 {
			out, i = append(out, elicit.Quantity{Name: name}), len(out)
		}
		return &out[i]
	}
	for _, text := range c.Show {
		named(text)
	}
	for _, text := range c.Plausible {
		m := quantityOf.FindStringSubmatch(text)
		if m == nil {
			return nil, frame.Wrongf("--plausible %s: write a quantity and a range, such as 'y: 0..200'", text)
		}
		r := rangeOf.FindStringSubmatch(strings.TrimSpace(m[2]))
		low, high := math.Inf(-1), math.Inf(1)
		if r == nil || !numberOr(r[1], &low) || !numberOr(r[2], &high) || !(low < high) || math.IsInf(low, 0) && math.IsInf(high, 0) {
			return nil, frame.Wrongf("--plausible %s: %s is no range; write it as 0..200, 0.. or ..200", text, strings.TrimSpace(m[2]))
		}
		named(m[1]).Plausible = &[2]float64{low, high}
	}
	for _, text := range c.Want {
		m := quantityOf.FindStringSubmatch(text)
		if m == nil {
			return nil, frame.Wrongf("--want %s: write a quantity and its quantiles, such as 'y: 5%%=0 50%%=2 95%%=10'", text)
		}
		want, err := wanted(text, m[2])
		if err != nil {
			return nil, err
		}
		q := named(m[1])
		q.Want = append(q.Want, want...)
	}
	return out, nil
}

// wanted are quantiles such as 5%=0 95%=10, which must rise together.
func wanted(flag, text string) (out []elicit.Wanted, err error) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		var p, x float64
		m := quantileOf.FindStringSubmatch(part)
		if m == nil || !numberOr(m[1], &p) || !numberOr(m[2], &x) || !(p > 0 && p < 100) {
			return nil, frame.Wrongf("--want %s: %s is no quantile; write it as 95%%=10, with a percentage between 0 and 100", flag, part)
		}
		if n := len(out); n > 0 && !(p/100 > out[n-1].Share && x > out[n-1].Value) {
			return nil, frame.Wrongf("--want %s: quantiles must rise, and %s does not", flag, part)
		}
		out = append(out, elicit.Wanted{Share: p / 100, Value: x})
	}
	if len(out) == 0 {
		return nil, frame.Wrongf("--want %s: there are no quantiles in it", flag)
	}
	return out, nil
}

// numberOr reads a finite number, or leaves x as it is where there is none; false where the text is something else.
func numberOr(text string, x *float64) bool {
	if text == "" {
		return true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return false
	}
	*x = v
	return true
}
