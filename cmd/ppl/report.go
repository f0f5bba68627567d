package main

// This file is ppl report: one page about fits and verdicts.

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/page"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/stored"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// reportFile is the name of the page in a fit's folder.
const reportFile = "report.html"

// mostReportRows bounds the tables of the page.
const mostReportRows = 500

// reportCmd writes a page.
type reportCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folder of a fit, of several fits or of verdicts, or CSV files of chains."`
	pictureFlags
	Model string `placeholder:"FILE" help:"File of the model; without it, the one that the fit's record names."`
	Out   string `placeholder:"FILE" help:"File for the page; without it, report.html in the folder."`
	Quiet bool   `short:"q" help:"No remarks on standard error; errors only."`
}

// Help implements kong.HelpProvider.
func (*reportCmd) Help() string {
	return frame.Examples("ppl report fit                           # to fit/report.html", "ppl report fit judged --out report.html --parameters mu,tau")
}

// Run writes the page and tells its name.
func (c *reportCmd) Run(a *frame.App) error {
	if err := c.check(); err != nil {
		return err
	}
	all, err := c.gather(a, c.Paths, c.Quiet, true)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return frame.Wrongf("%s: there is neither a fit nor a diagnosis", c.Paths[0])
	}
	p, err := c.compose(all)
	if err != nil {
		return err
	}
	out, err := c.write(a, p)
	if err != nil {
		return outputs.Unwritable(err, c.Out, "--out FILE writes the page somewhere else")
	}
	_, err = fmt.Fprintln(a.Stdout, out)
	return err
}

// write writes the page and returns its path. In the folder of a fit it is listed.
func (c *reportCmd) write(a *frame.App, p page.Page) (string, error) {
	write := func(w io.Writer) error { return page.Write(w, p) }
	if c.Out != "" {
		if err := isPage(c.Out); err != nil {
			return c.Out, err
		}
		return c.Out, folders.WriteFile(a.Disk, c.Out, write)
	}
	dir := c.Paths[0]
	if strings.HasSuffix(dir, ".csv") {
		dir = filepath.Dir(dir)
	}
	l, out := folders.ListingOf(a, dir, c.Quiet), filepath.Join(dir, reportFile)
	if err := l.Begin(reportFile); err != nil { // listed first: a kill leaves nothing that looks like somebody else's
		return out, err
	}
	if err := folders.WriteFile(a.Disk, out, write); err != nil {
		return out, err
	}
	return out, l.Add(reportFile)
}

// compose is all that the galleries say.
func (c *reportCmd) compose(all []*gallery) (page.Page, error) {
	p := page.Page{Model: page.Source{Note: "The source of the model is not known: there is no record of the run. --model FILE names it."}}
	path := c.Model
	var recorded *draws.Source
	fitted := slices.ContainsFunc(all, func(g *gallery) bool { return g.fit != nil })
	for _, g := range all {
		if g.fit != nil {
			p.Sections = append(p.Sections, fitSection(g))
		}
		for _, v := range g.verdicts {
			if fitted && v.Kind == "fit" {
				continue // the findings stand with the fit
			}
			p.Sections = append(p.Sections, verdictSection(v))
		}
		if g.run != nil && recorded == nil {
			recorded = &g.run.Program
		}
	}
	slices.SortStableFunc(p.Sections, func(a, b page.Section) int { return rankOnPage(a) - rankOnPage(b) })
	for i := range p.Sections {
		p.Sections[i].ID = fmt.Sprintf("part-%d", i+1)
	}
	if path == "" && recorded != nil {
		path = recorded.File
	}
	name := c.Paths[0]
	if path != "" {
		name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		var err error
		if p.Model, err = modelSource(path, recorded, c.Model != ""); err != nil {
			return p, err
		}
	}
	p.Title = "Report: " + name
	return p, nil
}

// modelSource reads the model. One that the record names may have gone or changed.
func modelSource(path string, recorded *draws.Source, asked bool) (page.Source, error) {
	s := page.Source{File: path}
	if !asked && !lang.IsProgram(path) { // a stranger's record may name any file
		s.Note = "The source is not shown: the file that the record names is not called .ppl or .stan. --model FILE names another."
		return s, nil
	}
	text, err := disk.ReadFile(path)
	switch {
	case err != nil && asked:
		return s, frame.Wrong(frame.PlainPath(err))
	case err != nil:
		s.Note = fmt.Sprintf("The source cannot be shown: %v. --model FILE names another place.", frame.PlainPath(err))
		return s, nil
	}
	s.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
	// What the record identifies is the program with the files that it includes.
	if recorded != nil && folders.DigestOf(path, text).SHA256 != recorded.SHA256 {
		if p, err := lang.CompileFile(path, lang.Options{Include: []string{filepath.Dir(path)}}); err != nil || folders.ModelDigest(path, p).SHA256 != recorded.SHA256 {
			s.Note = "The file, or one that it includes, is not what it was when the fit was made."
		}
	}
	return s, nil
}

// fitSection is about a fit.
func fitSection(g *gallery) page.Section {
	r := view.ReportOf(g.fit.Fit)
	s := page.Section{Title: r.Name, Method: r.Method, Severity: diagnose.Worst(r.Findings), Figures: g.figures, Lead: made(g.fit.Posterior) + "."}
	if g.fit.Posterior.Incomplete {
		s.Notes = append(s.Notes, "The run was cut short; this is about what was done.")
	}
	if e := r.Evidence; e != nil {
		place := view.Decimals(float64(e.Error))
		s.Facts = append(s.Facts, page.Fact{Name: "log p(y)", Value: fmt.Sprintf("%s, standard error %s nats", view.Fixed(float64(e.Value), place), view.Fixed(float64(e.Error), place))})
	}
	if len(r.Effects) > 0 {
		s.Facts = append(s.Facts, page.Fact{Name: view.EffectsHead, Value: r.EffectsText()})
	}
	s.Findings = findingsOf(r.Findings)
	s.Tables = append(s.Tables, summaryTables(r, g.replicated)...)
	if t := looTable(g.fit); t != nil {
		s.Tables = append(s.Tables, *t)
	}
	if g.run != nil {
		s.Facts = append(s.Facts, runFacts(g.run)...)
		if len(g.data) > 0 {
			s.Facts = append(s.Facts, page.Fact{Name: "sizes of the data", Value: strings.Join(g.data, ", ")})
		}
		if t := adaptationTable(g.run); len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// summaryTables are the table of a report, by the same rules as in the terminal, and that of the variables that
// nobody looks at element by element.
func summaryTables(r view.Report, replicated []string) []page.Table {
	n := r.Columns()
	tables := []page.Table{{Title: "Summary"}, {Title: "Summary of " + strings.Join(replicated, ", "), Folded: true}}
	hidden := [2]int{}
	for _, s := range r.Parameters {
		k := 0
		if slices.Contains(replicated, draws.Base(s.Name)) {
			k = 1
		}
		if len(tables[k].Rows) == mostReportRows {
			hidden[k]++
			continue
		}
		tables[k].Rows = append(tables[k].Rows, view.SummaryRow(s)[:n])
	}
	for k := range tables {
		tables[k].Header = view.SummaryHeader[:n]
		if hidden[k] > 0 {
			tables[k].Note = fmt.Sprintf("%d more rows are not shown; ppl summary shows them all.", hidden[k])
		}
	}
	if len(tables[1].Rows) == 0 {
		return tables[:1]
	}
	return tables
}

// looTable is how well a fit predicts observations that are left out, where it has their log
// densities; nil otherwise.
func looTable(f *stored.StoredFit) *page.Table {
	r, err := loo.Of(f.Posterior.Draws, logLikName)
	if err != nil || len(f.Imputed) > 0 { // ppl loo tells which densities are of what was observed
		return nil
	}
	t := page.Table{Title: "Leave-one-out prediction", Header: []string{"", "estimate", "standard error"}, Note: prediction{result: r}.shapesText()}
	for _, row := range looRows(r) {
		t.Rows = append(t.Rows, []string{row.name, view.Fixed(row.e.Value, 1), view.Fixed(row.e.Error, 1)})
	}
	bad := len(r.Bad())
	t.Rows = append(t.Rows, []string{"observations whose weights do not hold", strconv.Itoa(bad), ""})
	if bad > 0 {
		t.Note += " ppl loo fits the model without such observations."
	}
	return &t
}

func findingsOf(list []diagnose.Finding) []page.Finding {
	var out []page.Finding
	for _, f := range list {
		out = append(out, page.Finding{Severity: f.Severity, Meaning: f.Meaning, Figure: view.FindingFigure(f), Remedy: f.Remedy})
	}
	return out
}

// runFacts are what the record says of a run as a whole.
func runFacts(r *draws.Run) []page.Fact {
	facts := []page.Fact{
		{Name: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		{Name: "started", Value: r.Started.Format(time.RFC1123)},
		{Name: "time", Value: view.Fixed(r.Seconds, 2) + " s"},
		{Name: "ppl", Value: r.Version + ", " + r.GoVersion},
		{Name: "machine", Value: machineShown(r.Machine)},
		{Name: "model", Value: identity(&r.Program)},
	}
	if r.Data != nil {
		facts = append(facts, page.Fact{Name: "data", Value: identity(r.Data)})
	}
	if r.Fit != nil {
		facts = append(facts, page.Fact{Name: "optimiser", Value: fmt.Sprintf("%d iterations, %d evaluations: %s", r.Fit.Iterations, r.Fit.Evaluations, r.Fit.Stop)})
	}
	return facts
}

func machineShown(m *draws.Machine) string {
	if m == nil {
		return "not recorded"
	}
	return m.String()
}

// identity is a file with the start of its digest.
func identity(s *draws.Source) string {
	return fmt.Sprintf("%s (SHA-256 %.12s…)", filepath.Base(s.File), s.SHA256)
}

// adaptationTable reports what each chain did and learned.
func adaptationTable(r *draws.Run) page.Table {
	t := page.Table{Title: "Chains", Header: []string{"chain", "draws", "divergences", "step size", "metric", "scales", "warm-up (s)", "sampling (s)"}}
	for _, c := range r.Adaptation {
		step, metric := "–", "–"
		if c.StepSize > 0 {
			step = view.Fixed(c.StepSize, 4)
		}
		if c.MetricType != "" {
			metric = strings.TrimSuffix(c.MetricType, "_e")
		}
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(c.Chain), strconv.Itoa(c.Draws), strconv.Itoa(c.Divergences), step, metric, scales(c.Adaptation),
			view.Fixed(c.WarmupSeconds, 2), view.Fixed(c.SamplingSeconds, 2),
		})
	}
	t.Note = "Scales: smallest and largest standard deviation that the metric assumes, on the unconstrained scale."
	return t
}

// scales are the smallest and the largest standard deviation of a metric.
func scales(a draws.Adaptation) string {
	n, stride := len(a.InvMetric), 1
	if a.MetricType == draws.MetricDense {
		stride = int(math.Round(math.Sqrt(float64(n)))) + 1
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := 0; i < n; i += stride {
		sd := math.Sqrt(a.InvMetric[i])
		lo, hi = math.Min(lo, sd), math.Max(hi, sd)
	}
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g to %.3g", lo, hi)
}

// rankOnPage puts what a consultation concluded first.
func rankOnPage(s page.Section) int {
	if s.Title == conclusionKind {
		return 0
	}
	return 1
}

// verdictSection is about a verdict of diagnosis.json.
func verdictSection(v *plots.Verdict) page.Section {
	s := page.Section{Title: v.Kind, Method: v.Directive, Severity: v.Severity, Lead: v.Summary, Notes: v.Notes, Findings: findingsOf(v.Findings), Figures: v.Pictures}
	if v.Incomplete {
		s.Notes = append([]string{"The run was cut short; the verdict is about what was done."}, s.Notes...)
	}
	switch v.Kind {
	case conclusionKind:
		s.Tables = append(s.Tables, page.Table{Title: "What was checked, and what was not", Header: []string{"", "", ""}, Rows: v.Checked()})
	case "posterior_predictive", "prior_predictive":
		s.Tables = append(s.Tables, page.Table{Header: []string{"", "observed", "mean", "5%", "95%", "p"}, Rows: v.Predicted()})
	}
	return s
}

// isPage refuses a file that is no page, such as the model, or a chain of the fit: nothing that another program has
// written is lost.
func isPage(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // a device is written to, and all else is told at writing
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // it was read only
	const mark = "<!doctype html"
	begin := make([]byte, len(mark))
	if _, err := io.ReadFull(f, begin); err != nil || !strings.EqualFold(string(begin), mark) {
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--out %s: the file is there, and is no page", path), Help: "remove it, or choose another name"}
	}
	return nil
}
