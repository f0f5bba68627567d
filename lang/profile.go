package lang

// This file says what each statement of a model costs, and which statements tie the parameter that mixes worst.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// ProfileOptions are the settings of Profile.
type ProfileOptions struct {
	Seed uint64        // of the point at which all is timed, where there is no fit
	Fit  *draws.Draws  // draws of the posterior, for what mixes worst; nil for none
	Time time.Duration // about how long to measure; 0 means a second
}

// A ProfileFigure is what Profile knows, for scripts. Times are in seconds.
type ProfileFigure struct {
	Gradient   draws.Number    `json:"gradient"` // the log density with its gradient, as samplers call it
	Sum        draws.Number    `json:"sum"`      // of the statements
	Statements []StatementCost `json:"statements"`
	Worst      string          `json:"worst,omitempty"` // the parameter with the smallest bulk ESS
	ESS        draws.Number    `json:"ess,omitempty"`
	Ties       []Tie           `json:"ties,omitempty"`
}

// A StatementCost is what one statement costs in one evaluation.
type StatementCost struct {
	File    string       `json:"file,omitempty"` // that is included; empty of the program's own
	Line    int          `json:"line"`           // 0 of what belongs to no statement
	Text    string       `json:"text"`
	Seconds draws.Number `json:"seconds"`
	Share   draws.Number `json:"share"` // of the sum
	How     string       `json:"how"`
	Advice  string       `json:"advice,omitempty"`
}

// A Tie is a statement that a parameter shares with others.
type Tie struct {
	File string       `json:"file,omitempty"` // as of StatementCost
	Line int          `json:"line"`
	Text string       `json:"text"`
	With string       `json:"with"` // the column of those that moves with it most
	How  draws.Number `json:"correlation"`
}

// Profile times what each statement of the log density, and its part of the gradient, takes. The errors are those
// of LogDensity, and of a fit that has not the model's parameters.
func (m *Model) Profile(ctx context.Context, o ProfileOptions) (*diagnose.Verdict, error) {
	q, err := m.profilePoint(ctx, o)
	if err != nil {
		return nil, err
	}
	costs, err := bind.NewCosts(m.bound, q)
	if err != nil {
		return nil, err
	}
	if err := costs.Measure(ctx, m.bound, q, cmp.Or(o.Time, time.Second)); err != nil {
		return nil, err
	}
	f := ProfileFigure{Gradient: draws.Number(costs.Whole), Statements: []StatementCost{}}
	sum := 0.0
	for _, c := range costs.List {
		sum += c.Seconds
	}
	f.Sum = draws.Number(sum)
	for i := range costs.List {
		c := &costs.List[i]
		if slices.ContainsFunc(costs.List, func(o bind.Cost) bool { return o.At == c.InTheWay && o.Guards > 0 }) {
			c.Loop = source.Span{} // that is said of the statement itself
		}
		f.Statements = append(f.Statements, m.statementCost(c, sum))
	}
	if o.Fit != nil {
		if err := m.worstMixing(&f, o.Fit, q); err != nil {
			return nil, err
		}
	}
	return f.verdict(), nil
}

// profilePoint is a draw of the fit, or the first point with a density where chains may begin.
func (m *Model) profilePoint(ctx context.Context, o ProfileOptions) ([]float64, error) {
	if o.Fit != nil && o.Fit.Total() > 0 {
		at, err := m.parametersIn(o.Fit)
		if err != nil {
			return nil, err
		}
		return m.bound.UnconstrainRow(draws.Picked(o.Fit.Row(0, o.Fit.Len(0)-1), at))
	}
	r := rng.New(o.Seed, rng.Init, 0, 0)
	q := make([]float64, m.Dim())
	for try := 0; ; try++ {
		for i := range q {
			q[i] = float64(4*r.Float64()) - 2
		}
		lp, err := m.LogDensity(q)
		switch {
		case err != nil && !infer.IsReject(err):
			return nil, err
		case err == nil && !math.IsInf(lp, 0) && !math.IsNaN(lp):
			return q, nil
		case try == infer.InitTries:
			return nil, m.noDensity(q, lp, err)
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
	}
}

// noDensity says why there is no finite density at a point, and where.
func (m *Model) noDensity(q []float64, lp float64, err error) error {
	switch {
	case err != nil:
		return err
	case math.IsNaN(lp):
		return m.located(q, infer.ErrNaNDensity)
	case lp > 0:
		return m.located(q, infer.ErrInfiniteDensity)
	}
	return m.located(q, infer.ErrZeroDensity)
}

// lineOf is where a statement is: the file too where it is an included one.
func (m *Model) lineOf(at source.Span) (file string, line int) {
	if at.File != nil && at.File != m.Program.File {
		file = at.File.Name
	}
	return file, at.Position().Line
}

// lineText is a line for people: file:line of an included file.
func lineText(file string, line int) string {
	if file != "" {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprint(line)
}

// statementCost puts a cost into words.
func (m *Model) statementCost(c *bind.Cost, sum float64) StatementCost {
	out := StatementCost{Text: "sum of the terms", Seconds: draws.Number(c.Seconds), Share: draws.Number(c.Seconds / sum), How: howDone(c)}
	if !c.At.IsZero() {
		out.File, out.Line = m.lineOf(c.At)
		out.Text = briefly(c.At.Text())
	} else if m.Program.discrete() { // what is recorded then belongs to no statement
		out.Text = "sum over the discrete parameters, and of the terms"
	}
	if c.Declared {
		out.Text = "the constraint of " + out.Text
	}
	if c.Seconds >= worthAdvice*sum {
		out.Advice = m.costAdvice(c)
	}
	return out
}

const (
	worthAdvice = 0.05 // of all time, from which on it is said how a statement would be faster
	unrolled    = 16   // iterations of a loop from which on it is slow that they are recorded one by one
	repeated    = 8    // calls of a function from which on one call with all arguments is better
)

// briefly is text on one line, with its end cut off where it is long.
func briefly(text string) string {
	const most = 48
	line := []rune(oneLine(text))
	if len(line) > most {
		return string(line[:most-3]) + "..."
	}
	return string(line)
}

// howDone says how a statement is computed.
func howDone(c *bind.Cost) string {
	var parts []string
	if c.Vectors > 0 {
		parts = append(parts, fmt.Sprintf("vectors of %d", c.Longest))
	}
	names, count := countedCalls(c)
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "scan of "):
			head, _, _ := strings.Cut(strings.TrimPrefix(name, "scan of "), ",")
			parts = append(parts, "a loop of "+head)
		case count[name] > 1:
			parts = append(parts, fmt.Sprintf("%d calls of %s", count[name], name))
		default:
			parts = append(parts, "a call of "+name)
		}
	}
	if c.Single > 0 {
		parts = append(parts, fmt.Sprintf("%d single", c.Single))
	}
	if c.Guards > 0 {
		parts = append(parts, fmt.Sprintf("%d conditions", c.Guards))
	}
	return strings.Join(parts, ", ")
}

// countedCalls are the functions that are called, in order.
func countedCalls(c *bind.Cost) (names []string, count map[string]int) {
	count = map[string]int{}
	for _, name := range c.Calls {
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	return names, count
}

// costAdvice says how a statement that is slow would be written faster; empty where it would not.
func (m *Model) costAdvice(c *bind.Cost) string {
	names, count := countedCalls(c)
	for _, name := range names {
		if count[name] < repeated || !slices.ContainsFunc(expensive, func(e string) bool { return strings.HasPrefix(name, e) }) {
			continue
		}
		text := fmt.Sprintf("%d calls of %s: what is the same in all iterations is better computed before the loop", count[name], name)
		switch {
		case strings.HasPrefix(name, "ode_"):
			text += ", and a solver takes all times in one call"
		case strings.Contains(c.At.Text(), "multi_"):
			text += ", and a density of vectors takes arrays of them, such as y ~ multi_normal(mu, Sigma), and factors the matrix once"
		}
		return text
	}
	for _, name := range names {
		if text := cholesky[trimSuffixes(name)]; text != "" {
			return text
		}
	}
	switch {
	case c.Guards > 0:
		return "conditions or indices depend on parameters: where one comes out otherwise, another program is made; fmin, fmax, a smooth step, or log_mix over the cases do without"
	case c.Runs >= unrolled && !c.Loop.IsZero():
		text := fmt.Sprintf("the loop in line %s was recorded iteration by iteration", lineText(m.lineOf(c.Loop)))
		if !c.InTheWay.IsZero() && c.InTheWay != c.At {
			text += fmt.Sprintf(", for line %s is in the way: in a loop of its own it leaves the rest to be one operation on vectors", lineText(m.lineOf(c.InTheWay)))
		}
		return text
	}
	return ""
}

// expensive are beginnings of the names of functions that factor matrices or solve equations.
var expensive = []string{"cholesky_decompose", "multi_", "quad_form", "inverse", "mdivide", "log_determinant", "eigen", "qr", "svd", "matrix_exp", "gp_", "ode_", "dae", "solve_", "integrate_"}

// cholesky says what does without factoring a matrix at each evaluation.
var cholesky = map[string]string{
	"multi_normal":    "with a cholesky_factor_corr or cholesky_factor_cov, multi_normal_cholesky does not factor a matrix at each evaluation",
	"multi_student_t": "with a Cholesky factor, multi_student_t_cholesky does not factor a matrix at each evaluation",
	"lkj_corr":        "with a cholesky_factor_corr, lkj_corr_cholesky does not factor a matrix",
	"wishart":         "wishart_cholesky of a cholesky_factor_cov does not factor a matrix",
	"inv_wishart":     "inv_wishart_cholesky of a cholesky_factor_cov does not factor a matrix",
}

// trimSuffixes is a density's name in a sampling statement.
func trimSuffixes(name string) string {
	name, _, _ = strings.Cut(name, " ")
	for _, s := range []string{"_lpdf", "_lpmf"} {
		name = strings.TrimSuffix(name, s)
	}
	return name
}

// worstMixing finds the parameter with the smallest effective sample size, and the statements that tie it to
// others.
func (m *Model) worstMixing(f *ProfileFigure, fit *draws.Draws, q []float64) error {
	names := m.parameterNames()
	if len(names) == 0 {
		return nil
	}
	params, err := fit.Only(names)
	if err != nil {
		return err
	}
	var worst draws.Summary
	for _, s := range params.Summaries() {
		if s.Name != draws.LogDensityColumn && s.ESSBulk > 0 && (worst.Name == "" || s.ESSBulk < worst.ESSBulk) {
			worst = s
		}
	}
	if worst.Name == "" {
		return nil
	}
	f.Worst, f.ESS = worst.Name, draws.Number(worst.ESSBulk)
	statements, err := m.bound.NewStatements(q)
	if err != nil {
		return nil // prior and likelihood cannot be told apart: then it is not said which statement it is
	}
	for _, s := range statements.List {
		if len(s.Parameters) < 2 || !slices.Contains(s.Parameters, draws.Base(worst.Name)) {
			continue
		}
		t := Tie{Text: "the likelihood"}
		if !s.At.IsZero() {
			t.File, t.Line = m.lineOf(s.At)
			t.Text = briefly(s.At.Text())
		}
		t.With, t.How = movesWith(params, worst.Name, worst.ESSBulk, s.Parameters)
		f.Ties = append(f.Ties, t)
	}
	slices.SortStableFunc(f.Ties, func(a, b Tie) int { return cmp.Compare(math.Abs(float64(b.How)), math.Abs(float64(a.How))) })
	return nil
}

// byChance is the probability that a parameter which goes with no other is said to.
const byChance = 0.01

// movesWith is the column of some variables whose value, or distance from its mean, goes most with a
// parameter's, and the correlation; none where the largest of as many correlations of effective draws would be as
// large by chance.
func movesWith(fit *draws.Draws, name string, effective float64, variables []string) (with string, most draws.Number) {
	x := slices.Concat(fit.Column(name)...)
	tried := 0
	for _, other := range fit.Columns() {
		if other == name || !slices.Contains(variables, draws.Base(other)) || draws.Base(other) == draws.Base(name) {
			continue
		}
		tried += 2
		y := slices.Concat(fit.Column(other)...)
		mean := meanOf(y)
		r := correlation(x, y)
		for i := range y {
			y[i] = math.Abs(y[i] - mean)
		}
		if s := correlation(x, y); math.Abs(s) > math.Abs(r) || math.IsNaN(r) {
			r = s
		}
		if math.Abs(r) > math.Abs(float64(most)) {
			with, most = other, draws.Number(r)
		}
	}
	n := min(effective, float64(len(x)))
	if !(math.Abs(float64(most)) > diagnose.ChanceCorrelation(tried, n, byChance)) {
		return "", 0
	}
	return with, most
}

// correlation is that of two columns; NaN where one has no spread.
func correlation(x, y []float64) float64 {
	mx, my := meanOf(x), meanOf(y)
	xx, xy, yy := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	return xy / math.Sqrt(float64(xx*yy))
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// parameterNames are the names of the parameters.
func (m *Model) parameterNames() []string {
	var out []string
	for _, c := range m.ParameterColumns() {
		if name := draws.Base(c); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// verdict puts the figures into words.
func (f *ProfileFigure) verdict() *diagnose.Verdict {
	v := &diagnose.Verdict{Kind: "profile", Severity: diagnose.None, Figures: *f}
	v.Summary = fmt.Sprintf("The log density with its gradient takes %s µs; the statements, each by itself, %s µs.", micro(f.Gradient), micro(f.Sum))
	t := diagnose.Table{Header: []string{"line", "statement", "µs", "share", "computed as"}}
	for _, s := range f.Statements {
		line := ""
		if s.Line > 0 {
			line = lineText(s.File, s.Line)
		}
		t.Rows = append(t.Rows, []string{line, s.Text, micro(s.Seconds), fmt.Sprintf("%.0f%%", 100*s.Share), s.How})
	}
	if len(f.Statements) == 0 {
		v.Summary = fmt.Sprintf("The log density with its gradient takes %s µs. No statement takes part in it: a program without one that depends on parameters has nothing to be made faster.", micro(f.Gradient))
		return v
	}
	v.Notes = f.advice()
	v.Tables = append(v.Tables, t)
	if f.Worst == "" {
		return v
	}
	note := fmt.Sprintf("Of the parameters %s mixes worst (bulk ESS %.0f).", f.Worst, float64(f.ESS))
	for i, t := range f.Ties {
		switch {
		case i == 0 && t.With == "":
			note += " Its correlations with the parameters that statements tie it to could be chance."
		case i == 0:
			note += fmt.Sprintf(" It goes with %s (correlation %+.2f), to which %s ties it.", t.With, float64(t.How), t.place())
		}
	}
	v.Notes = append(v.Notes, note)
	return v
}

// advice is what is said of statements, once of all that it holds for.
func (f *ProfileFigure) advice() (notes []string) {
	lines := map[string][]string{}
	var texts []string
	for _, s := range f.Statements {
		if s.Advice == "" {
			continue
		}
		if lines[s.Advice] == nil {
			texts = append(texts, s.Advice)
		}
		lines[s.Advice] = append(lines[s.Advice], lineText(s.File, s.Line))
	}
	for _, text := range texts {
		head := "Line "
		if len(lines[text]) > 1 {
			head = "Lines "
		}
		notes = append(notes, head+strings.Join(lines[text], ", ")+": "+text+".")
	}
	return notes
}

func (t Tie) place() string {
	if t.Line == 0 {
		return t.Text
	}
	return fmt.Sprintf("line %s, %s,", lineText(t.File, t.Line), t.Text)
}

// micro is a time in microseconds.
func micro(seconds draws.Number) string { return fmt.Sprintf("%.3f", 1e6*float64(seconds)) }
