package main

// This file is ppl loo: how well fits predict, and which predicts best.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// looCmd estimates predictive densities.
type looCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folders of fits, or of generated quantities."`
	fittedFlags
	LogLik string `placeholder:"NAME" help:"Variable with the log density of each observation; log_lik without it or, where there is none, the factors of the likelihood."`
	Refit  int    `placeholder:"N" default:"20" help:"Where the weights of an observation do not hold, move the draws to where they would be without it, and where that does not hold either, fit the model without it, for at most N of them; 20 without it, 0 for neither."`
	Folds  int    `placeholder:"K" help:"K-fold cross-validation by K fits, in place of leave-one-out by weights."`
	Group  string `placeholder:"NAME" help:"Leave-group-out: whole numbers of the data, the group of each observation."`
	PIT    bool   `name:"pit" help:"Where observations lie among their leave-one-out predictions: uniform, if these are calibrated. The model must be one that can be simulated from."`
	onFlags
	Jobs   int  `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	JSON   bool `name:"json" help:"All figures as JSON, with those of each observation."`
	Strict bool `help:"Exit with code 3 where a term cannot be believed or, with --pit, predictions are not calibrated."`

	cluster *cluster.Cluster // of --on; nil without it
	lost    error            // why its work ended; nil where it did not fail
}

// logLikName is the variable that holds the log density of each observation.
const logLikName = "log_lik"

// A prediction is a fit with what it predicts.
type prediction struct {
	name    string
	result  *loo.Result
	method  string   // how observations were left out, where not by weights
	unfixed string   // why terms that cannot be believed were not replaced; empty where they were
	pit     *loo.PIT // nil where it was not asked for
}

// Help implements kong.HelpProvider.
func (*looCmd) Help() string {
	return frame.Examples(
		"ppl loo fit                              # of log_lik, or of the factors of the likelihood",
		"ppl loo fit --group school               # leave whole groups out",
		"ppl loo pooled hierarchical --json       # compare two models of the same data, and weigh them",
	)
}

// Run prints the estimates and, of several fits, the comparison.
func (c *looCmd) Run(a *frame.App) error {
	if err := c.validate(); err != nil {
		return err
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	if c.On != "" {
		server, err := cluster.Connect(ctx, c.access(a, c.On, "ppl loo"))
		if err != nil {
			return frame.Wrong(err)
		}
		defer server.Close()
		c.cluster = server
	}
	var fits []prediction
	for _, path := range c.Paths {
		found, err := c.read(ctx, a, path)
		if err != nil {
			return err
		}
		fits = append(fits, found...)
	}
	results := make([]*loo.Result, len(fits))
	high := 0
	for i, f := range fits {
		results[i] = f.result
		high += len(f.result.Bad())
		if f.pit != nil && f.pit.P < pitWarning {
			high++
		}
	}
	ranks, err := loo.Compare(results)
	if err != nil {
		return frame.Wrongf("%w (%s)", err, sizesText(fits))
	}
	if c.JSON {
		err = writeLooJSON(a.Stdout, fits, ranks)
	} else {
		err = writeLoo(a.Stdout, fits, ranks)
	}
	if err == nil && c.Strict && high > 0 {
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return err
}

func (c *looCmd) validate() error {
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case c.Refit < 0:
		return frame.Wrongf("--refit must not be negative, found %d", c.Refit)
	case c.Folds < 0 || c.Folds == 1:
		return frame.Wrongf("--folds must be 2 or more, found %d", c.Folds)
	case c.Folds > 0 && c.Group != "":
		return frame.Wrongf("--folds and --group exclude each other")
	case c.PIT && (c.Folds > 0 || c.Group != ""):
		return frame.Wrongf("--pit is about single observations, and excludes --folds and --group")
	}
	return c.without(map[string]bool{"jobs": c.Jobs != 0})
}

// read judges the fits in a folder.
func (c *looCmd) read(ctx context.Context, a *frame.App, path string) ([]prediction, error) {
	dirs, err := folders.FitFolders(a, path)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	var out []prediction
	for _, dir := range dirs {
		s, err := folders.OpenStored(a, dir, false)
		if err != nil {
			return nil, err
		}
		p, err := c.predict(ctx, a, s)
		if err != nil {
			return nil, err
		}
		out = append(out, *p)
	}
	return out, nil
}

// missingLogLik reports how a fit gets what is missing.
func missingLogLik(e *loo.MissingError) string {
	var like []string
	seen := map[string]bool{}
	for _, column := range e.Columns {
		base := draws.Base(column)
		if lower := strings.ToLower(base); !seen[base] && (strings.Contains(lower, "lik") || strings.Contains(lower, "log")) {
			seen[base] = true
			like = append(like, base)
		}
	}
	if len(like) > 0 {
		return "--log-lik NAME takes another variable, such as " + strings.Join(like, " or ")
	}
	return fmt.Sprintf("compute it as generated quantities: vector[N] %s, with %s[n] the log density of observation n; ppl generate does so without sampling again", e.Name, e.Name)
}

func sizesText(fits []prediction) string {
	var parts []string
	for _, f := range fits {
		parts = append(parts, fmt.Sprintf("%s: %d", f.name, len(f.result.LOO.Terms)))
	}
	return strings.Join(parts, ", ")
}

// writeLoo prints tables.
func writeLoo(w io.Writer, fits []prediction, ranks []loo.Rank) error {
	var b strings.Builder
	for _, f := range fits {
		r := f.result
		fmt.Fprintf(&b, "%s: %s, %s%s\n\n", f.name, console.Plural(len(r.LOO.Terms), "observation"), console.Plural(r.Draws, "draw"), ofAll(r))
		t := view.NewTable()
		t.AppendHeader(table.Row{"", "estimate", "se"})
		for _, row := range looRows(r) {
			t.AppendRow(table.Row{row.name, view.Fixed(row.e.Value, 1), errorText(row.e)})
		}
		b.WriteString(t.Render() + "\n\n" + f.shapesText() + f.pitText() + "\n")
	}
	if len(fits) > 1 {
		t := view.NewTable()
		t.AppendHeader(table.Row{"", "elpd_diff", "se_diff", "elpd_loo", "se", "p_loo", "stacking", "pseudo-BMA+"})
		for _, rank := range ranks {
			f := fits[rank.Fit]
			t.AppendRow(table.Row{f.name, view.Fixed(rank.Difference.Value, 1), errorText(rank.Difference), view.Fixed(f.result.LOO.ELPD.Value, 1), errorText(f.result.LOO.ELPD), view.Fixed(f.result.LOO.P.Value, 1), view.Fixed(rank.Stacking, 3), view.Fixed(rank.PseudoBMA, 3)})
		}
		b.WriteString("comparison, the best first\n\n" + t.Render() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// errorText is a standard error; "-" for that of a single observation, which has none.
func errorText(e loo.Estimate) string {
	if math.IsNaN(e.Error) && !math.IsNaN(e.Value) {
		return "-"
	}
	return view.Fixed(e.Error, 1)
}

// A looRow is one figure of a prediction.
type looRow struct {
	name string
	e    loo.Estimate
}

// looRows are the figures of the tables.
func looRows(r *loo.Result) []looRow {
	return []looRow{{"elpd_loo", r.LOO.ELPD}, {"p_loo", r.LOO.P}, {"looic", deviance(r.LOO.ELPD)}, {"elpd_waic", r.WAIC.ELPD}, {"p_waic", r.WAIC.P}, {"waic", deviance(r.WAIC.ELPD)}}
}

// deviance is an estimate on the scale of information criteria.
func deviance(e loo.Estimate) loo.Estimate {
	return loo.Estimate{Value: -2 * e.Value, Error: 2 * e.Error}
}

// shapesText reports how many observations have a shape in which range, which were fitted without, and which is worst of the rest.
func (f prediction) shapesText() string {
	r := f.result
	if f.method != "" {
		return "Each observation's term is from a fit without it: " + f.method + ".\n"
	}
	mended, moved := 0, 0
	for _, t := range r.LOO.Terms {
		mended += oneIf(t.Refit)
		moved += oneIf(t.Moved)
	}
	k := shapesOf(r)
	text := fmt.Sprintf("Pareto k: good (up to %s) %d, bad (up to 1) %d, very bad (above) %d\n", view.Fixed(k.Threshold, 2), k.Good, k.Bad, k.VeryBad)
	if k.Hidden > 0 {
		text += fmt.Sprintf("%s with a good k, but so uneven weights that the draws do not show their tail.\n", console.Plural(k.Hidden, "observation"))
	}
	if n := len(r.LOO.Terms); n <= loo.Few {
		text += fmt.Sprintf("Weights say little of %s: one may rule out what the others allow.\n", console.Plural(n, "observation"))
	}
	if moved > 0 {
		text += fmt.Sprintf("%s whose weights hold once the draws are moved to where they would be without them.\n", console.Plural(moved, "observation"))
	}
	if mended > 0 {
		text += fmt.Sprintf("%s whose weights do not hold: the terms are those of fits without them.\n", console.Plural(mended, "observation"))
	}
	if f.unfixed != "" {
		text += "Not every fit without such an observation was made: " + f.unfixed + ".\n"
	}
	if len(r.Bad()) == 0 {
		return text
	}
	worst := r.Worst()
	return text + fmt.Sprintf("The worst is %s, with k = %s. The estimates of such observations (%d) cannot be believed: they\n"+
		"move the posterior too far. Leave them out in a fit of their own, or see whether the model fits them.\n", worst.Name, view.Fixed(worst.K, 2), len(r.Bad()))
}

// pitWarning is the p-value of calibration below which predictions are said to be off, as in ppl diagnose.
const pitWarning = 0.01

// pitText reports whether observations are where their predictions expect them.
func (f prediction) pitText() string {
	p := f.pit
	if p == nil {
		return ""
	}
	verdict := "the predictions of single observations are calibrated, as far as they tell"
	if p.P < pitWarning {
		verdict = "the predictions of single observations are " + p.Shape
	}
	text := fmt.Sprintf("LOO-PIT of %s: %s (p = %s)  %s\n", console.Plural(len(p.Values), "observation"), verdict, strconv.FormatFloat(p.P, 'g', 2, 64), p.Picture)
	if p.Left > 0 {
		text += fmt.Sprintf("It is not known of %s, for which all simulated data are the same.\n", console.Plural(p.Left, "observation"))
	}
	return text
}

// shapesOf counts shapes and hidden tails, those of observations that were fitted without, too; NaN is above all.
func shapesOf(r *loo.Result) looShapes {
	out := looShapes{Threshold: r.Threshold}
	for _, t := range r.LOO.Terms {
		beyond := oneIf(!(t.K <= 1))
		high := oneIf(!(t.K <= r.Threshold))
		out.Hidden += oneIf(r.Hidden(t))
		out.Good, out.Bad, out.VeryBad = out.Good+1-high, out.Bad+high-beyond, out.VeryBad+beyond
	}
	return out
}

// ofAll says of how many draws those used are, where they are not all.
func ofAll(r *loo.Result) string {
	if r.Of <= r.Draws {
		return ""
	}
	return fmt.Sprintf(" at equal distances of %d", r.Of)
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The figures of ppl loo --json.
type (
	looJSON struct {
		Fits       []looFit  `json:"fits"`
		Comparison []looRank `json:"comparison"` // the best first; of one fit, that alone
	}
	looFit struct {
		Name         string            `json:"name"`
		Draws        int               `json:"draws"`
		Observations int               `json:"observations"`
		ELPDLoo      draws.EstimateRun `json:"elpd_loo"`
		PLoo         draws.EstimateRun `json:"p_loo"`
		ELPDWAIC     draws.EstimateRun `json:"elpd_waic"`
		PWAIC        draws.EstimateRun `json:"p_waic"`
		ParetoK      looShapes         `json:"pareto_k"`
		PIT          *looPIT           `json:"pit,omitempty"`
		Pointwise    []looTerm         `json:"pointwise"`
	}
	looShapes struct {
		Threshold float64 `json:"threshold"`
		Good      int     `json:"good"`
		Bad       int     `json:"bad"`
		VeryBad   int     `json:"very_bad"`
		Hidden    int     `json:"hidden"` // of the good ones, those whose weights are too uneven to show their tail
	}
	looPIT struct {
		P      draws.Number   `json:"p"`
		Names  []string       `json:"observations"`
		Values []draws.Number `json:"values"`
	}
	looTerm struct {
		Name       string         `json:"name"`
		ELPDLoo    draws.Number   `json:"elpd_loo"`
		PLoo       draws.Number   `json:"p_loo"`
		K          draws.Extended `json:"k"`
		ESS        draws.Number   `json:"ess"`
		Efficiency draws.Number   `json:"relative_efficiency"`
		Share      draws.Number   `json:"share"` // of the draws that the weights keep in effect
		Refit      bool           `json:"refit"` // elpd_loo is that of a fit without it
		Moved      bool           `json:"moved"` // elpd_loo is that of draws moved to where they would be without it
		ELPDWAIC   draws.Number   `json:"elpd_waic"`
	}
	looRank struct {
		Name       string            `json:"name"`
		Difference draws.EstimateRun `json:"elpd_diff"`
		Stacking   draws.Number      `json:"stacking"`        // weights in a mixture of predictions
		PseudoBMA  draws.Number      `json:"pseudo_bma_plus"` // the same from elpd and the Bayesian bootstrap
	}
)

func writeLooJSON(w io.Writer, fits []prediction, ranks []loo.Rank) error {
	estimate := func(e loo.Estimate) draws.EstimateRun {
		return draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
	}
	var out looJSON
	for _, f := range fits {
		r := f.result
		one := looFit{
			Name: f.name, Draws: r.Draws, Observations: len(r.LOO.Terms),
			ELPDLoo: estimate(r.LOO.ELPD), PLoo: estimate(r.LOO.P), ELPDWAIC: estimate(r.WAIC.ELPD), PWAIC: estimate(r.WAIC.P),
			ParetoK: shapesOf(r),
		}
		for i, t := range r.LOO.Terms {
			one.Pointwise = append(one.Pointwise, looTerm{
				Name: t.Name, ELPDLoo: draws.Number(t.ELPD), PLoo: draws.Number(t.P), K: draws.Extended(t.K), ESS: draws.Number(t.ESS),
				Efficiency: draws.Number(t.Efficiency), Share: draws.Number(t.Share), ELPDWAIC: draws.Number(r.WAIC.Terms[i].ELPD), Refit: t.Refit, Moved: t.Moved,
			})
		}
		if f.pit != nil {
			one.PIT = &looPIT{P: draws.Number(f.pit.P), Names: f.pit.Names}
			for _, v := range f.pit.Values {
				one.PIT.Values = append(one.PIT.Values, draws.Number(v))
			}
		}
		out.Fits = append(out.Fits, one)
	}
	for _, rank := range ranks {
		out.Comparison = append(out.Comparison, looRank{fits[rank.Fit].name, estimate(rank.Difference), draws.Number(rank.Stacking), draws.Number(rank.PseudoBMA)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
