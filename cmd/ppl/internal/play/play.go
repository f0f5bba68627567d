// Package play fits a model for a page in the browser: a question and its answer are JSON.
//
// Contract. Run never prints and touches no file. The draws are those of the command with the same seed, to the bit. Texts of an
// answer may be a stranger's; pictures are escaped.
//
// Concurrency. Run may be called from several goroutines.
package play

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A Question is a model with its data.
type Question struct {
	Model  string `json:"model"`
	Data   string `json:"data"`   // JSON; empty: there are none
	Method string `json:"method"` // an expression; empty: those of the inference block
	Seed   uint64 `json:"seed"`
}

// An Answer is what came of it.
type Answer struct {
	Fits     []Fit  `json:"fits"`
	Printed  string `json:"printed"`  // by the model, while it was bound
	Warnings string `json:"warnings"` // about the program
	Error    string `json:"error"`    // with its place; empty: none
}

// A Fit is the result of a method.
type Fit struct {
	Name       string             `json:"name"`
	Method     string             `json:"method"`
	Chains     int                `json:"chains"`
	Draws      int                `json:"draws"`  // of all chains
	Warmup     int                `json:"warmup"` // of each
	Incomplete bool               `json:"incomplete"`
	Parameters []draws.Summary    `json:"parameters"`
	Findings   []diagnose.Finding `json:"findings"`
	Evidence   string             `json:"log_evidence"` // with its standard error; empty: none
}

// More is what belongs to a fit.
type More struct {
	Pictures []Picture `json:"pictures"`
	CSV      string    `json:"csv"` // a row a draw: chain, lp__ and columns
}

// A Picture is a figure as SVG.
type Picture struct {
	Title string `json:"title"`
	SVG   string `json:"svg"`
}

// mostColumns is how many columns a picture has.
const mostColumns = 8

// Run answers a question. It ends early with ctx, with the draws so far. watch sees the draws of each method. What more there
// is to see takes longer than the answer, and is had by the function: the draws and pictures of each fit.
func Run(ctx context.Context, q Question, watch infer.Observer, pool *Pool) (Answer, func() ([]More, error)) {
	var a Answer
	var fits []*lang.Fit
	if err := infer.Guarded(func() error { return a.run(ctx, q, watch, pool, &fits) }); err != nil {
		a.Error = lang.ErrorText(err)
	}
	return a, func() (out []More, err error) {
		err = infer.Guarded(func() error {
			for _, f := range fits {
				m, err := moreOf(f)
				if err != nil {
					return err
				}
				out = append(out, m)
			}
			return nil
		})
		return out, err
	}
}

func (a *Answer) run(ctx context.Context, q Question, watch infer.Observer, pool *Pool, fits *[]*lang.Fit) error {
	p, methods, set, err := q.read()
	if p != nil {
		var b bytes.Buffer
		if err := problem.WriteText(&b, p.Problems(), problem.Options{}); err != nil {
			return err
		}
		a.Warnings = b.String()
	}
	if err != nil {
		return err
	}
	m, err := q.bind(ctx, p, set, func(text string) { a.Printed += text + "\n" })
	if err != nil {
		return err
	}
	shared := lang.Share(methods)
	if pool != nil {
		if own, ok := pool.Own.(interface {
			adopt(Question, *lang.Model, []*lang.Method)
		}); ok {
			own.adopt(q, m, methods)
		}
	}
	for i, method := range methods {
		o := lang.RunOptions{Seed: q.Seed, Observer: watch, Shared: shared}
		if pool != nil && method.Divides() && m.Dim() > 0 {
			o.Relay = &relay{pool, Errand{Question: q, Method: i}}
		}
		f, err := m.Run(ctx, method, o)
		if err != nil {
			return err
		}
		if f.Posterior.Draws.Total() == 0 {
			return fmt.Errorf("%s was stopped before the first draw", method.Name())
		}
		a.Fits = append(a.Fits, fitOf(f))
		*fits = append(*fits, f)
	}
	return nil
}

// hasData reports whether there are data.
func (q Question) hasData() bool { return strings.TrimSpace(q.Data) != "" }

// bind binds the program of a question.
func (q Question) bind(ctx context.Context, p *lang.Program, set *data.Set, say func(string)) (*lang.Model, error) {
	return p.BindContext(ctx, set, lang.BindOptions{Seed: q.Seed, Print: say})
}

func fitOf(f *lang.Fit) Fit {
	p := f.Posterior
	out := Fit{
		Name: f.Name, Method: f.Method, Chains: p.Draws.Chains(), Draws: p.Draws.Total(), Warmup: p.Plan.Warmup, Incomplete: p.Incomplete,
		Parameters: f.Summaries, Findings: f.Findings,
	}
	if e := p.LogEvidence; e != nil {
		out.Evidence = fmt.Sprintf("%.4f, standard error %.2g nats", e.Value, e.Error)
	}
	return out
}

func moreOf(f *lang.Fit) (More, error) {
	out := More{CSV: drawsCSV(f.Posterior.Draws)}
	seen := plots.NewFit(f.Name, f.Method, f.Posterior.Draws, f.Summaries)
	if seen == nil {
		return out, nil
	}
	c, err := seen.Choose(nil, nil, mostColumns)
	if err != nil {
		return out, err
	}
	for _, figure := range []*plots.Figure{seen.Forest(c, nil, true), seen.Density(c), seen.Trace(c), seen.Rank(c), seen.Pairs(c), seen.Energy()} {
		if figure == nil {
			continue
		}
		var b bytes.Buffer
		if err := figure.WriteSVG(&b); err != nil {
			return out, err
		}
		out.Pictures = append(out.Pictures, Picture{figure.Title, b.String()})
	}
	return out, nil
}

// drawsCSV writes draws with all their digits.
func drawsCSV(d *draws.Draws) string {
	var b strings.Builder
	b.WriteString("chain,lp__," + strings.Join(d.Columns(), ",") + "\n")
	first := 1 + len(d.Stats())
	for chain := range d.Chains() {
		for i := range d.Len(chain) {
			row := d.Row(chain, i)
			b.WriteString(strconv.Itoa(chain+1) + "," + number(row[0]))
			for _, x := range row[first:] {
				b.WriteString("," + number(x))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
