package main

// This file is ppl run: from the arguments to fits, summaries and folders.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/manifest"
	"github.com/seed-12b88e03/ppl/lang"
)

// runCmd fits a model.
type runCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.ModelFlags
	input.EngineFlags
	outputs.OutputFlags
	view.ColorFlag
	Method []string `placeholder:"EXPR" sep:"none" help:"A method, such as 'nuts(delta = 0.9)', or the name of a binding; may be repeated. Without it, all bindings of the inference block run."`
	Chains *int     `placeholder:"N" help:"Number of chains."`
	Warmup *int     `placeholder:"N" help:"Iterations of warm-up in each chain."`
	Draws  *int     `placeholder:"N" help:"Draws kept in each chain."`
	Like   string   `placeholder:"stan" help:"Fit with the defaults of that program: stan has nuts make 1000 iterations of warm-up and 1000 draws, with its adaptation of a diagonal metric."`
	Init   string   `placeholder:"FILE|RADIUS|0" help:"Starting points: a JSON file with parameter values (an array: one for each chain), a radius on the unconstrained scale, or 0."`
	Fit    string   `placeholder:"DIR" help:"Folder of an earlier fit of the same model and data, for methods that wrap it: 'prior_swap(fit) {...}'."`
	Out    string   `placeholder:"DIR" help:"Folder to write the fit to."`
	folders.OverwriteFlag
	onFlags
	Parts      int            `placeholder:"N" help:"With --on: the chains stay here, and at each point workers evaluate the parts of sums over data (statements over rows with --divide, reduce_sum, map_rect), in N groups."`
	Resume     bool           `help:"Go on with the run that --out DIR holds, after an interrupt or a crash, or with more --draws; flags that are not given are those of that run."`
	Jobs       int            `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	Digits     int            `placeholder:"N" default:"8" help:"Significant digits in the files; 8 without it."`
	TimeLimit  *time.Duration `placeholder:"D" help:"Stop after this time, such as 90s or 10m, and keep the draws so far."`
	SaveWarmup bool           `help:"Write the draws of warm-up to the files, too."`
	JSON       bool           `name:"json" help:"Summary and findings as JSON on standard output."`
	Strict     bool           `help:"Exit with code 3 where a finding is bad."`

	drawn *uint64 // the seed, where another machine has drawn it; nil: this one does
}

// defaultDigits is the default of --digits.
const defaultDigits = 8

// mostRows bounds the table that run prints; ppl summary prints all.
const mostRows = 100

// A session is a run after its arguments have been understood.
type session struct {
	*runCmd
	app       *frame.App
	program   *lang.Program
	data      *input.DataSource
	digest    *draws.Source // of the data; nil for none
	model     *lang.Model
	methods   []*lang.Method
	shared    *lang.Shared
	names     []string            // of the fits, each once
	fitted    *folders.EarlierFit // of --fit; nil without it
	cluster   *cluster.Cluster    // of --on; nil without it
	deputy    infer.Deputy        // of --parts; nil without it
	seed      uint64
	points    [][]float64 // of --init FILE
	recipe    *recipe
	folder    *folders.Folder // nil without --out
	partial   bool            // a method was not run to its end
	drawn     bool            // but has made all draws: what is missing is what they are judged by
	updates   bool            // it is of ppl update, which cannot go on with what was interrupted
	started   time.Time
	restoreGC func() // ends the preparation; see relaxGC
}

// Help implements kong.HelpProvider.
func (*runCmd) Help() string {
	return frame.Examples(
		"ppl run model.ppl --data data.json --seed 1",
		"ppl run model.stan --method 'nuts(delta = 0.95)' --draws 2000",
		"ppl run model.ppl --out fit              # write draws as they are made",
		"ppl run model.ppl --out fit --format zarr --predictive   # for ArviZ",
		"ppl run model.ppl --variables mu,tau     # what is shown and kept",
		"ppl run model.ppl --out fit --resume     # go on after an interrupt or a crash",
		"ppl run model.ppl --out fit --resume --draws 4000   # extend a fit whose number of draws was given",
	)
}

// Run fits the model.
func (c *runCmd) Run(a *frame.App) error {
	if err := c.validate(); err != nil {
		return err
	}
	ctx, stop := frame.UntilInterrupt(c.TimeLimit, a.Stopping(c.Quiet))
	defer stop()
	return c.execute(ctx, a)
}

// execute fits the model as the flags, which are valid, say.
func (c *runCmd) execute(ctx context.Context, a *frame.App) (err error) {
	restoreGC := frame.RelaxGC()
	defer restoreGC()
	s, err := c.prepare(ctx, a)
	if err != nil {
		return err
	}
	hangUp, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	var end func(*error)
	if s.folder, end, err = folders.OpenFolder(a, s.place(), c.Quiet); err != nil {
		return err
	}
	defer end(&err)
	if s.folder != nil {
		if err := s.recipe.write(a.Disk, s.folder.Work); err != nil {
			return s.failed(err)
		}
		if err := s.folder.Take(folders.RecipePath); err != nil {
			return s.failed(err)
		}
	}
	s.restoreGC = restoreGC
	reports, err := s.fitAll(ctx)
	if err != nil {
		return s.failed(err)
	}
	return s.conclude(ctx, reports)
}

// place is what the folder of --out is wanted for.
func (s *session) place() folders.Place {
	p := folders.Place{Out: s.Out, Resume: s.Resume}
	if len(s.methods) > 1 {
		p.Fits = s.names
	}
	return p
}

// failed decides what a failed run leaves behind: nothing, unless the fault is that of
// the disk and there is something to go on with.
func (s *session) failed(err error) error {
	if frame.IsLeft(err) && s.folder != nil && !s.updates && s.folder.Begun() {
		s.folder.Keep()
		return leftAt(s.app, err)
	}
	cause := folders.WriteFailure(err)
	if cause == nil || s.folder == nil {
		return err
	}
	if info, err := os.Stat(s.folder.Work); err != nil || !info.IsDir() {
		return &frame.Exit{
			Code: frame.ExitFailed, Err: fmt.Errorf("%s: the folder was moved or removed while the run wrote to it", s.Out),
			Help: "where it was moved to, --resume goes on with the draws that it has; else run the command again",
		}
	}
	if s.updates || !s.folder.Begun() {
		return cause
	}
	s.folder.Keep()
	return &frame.Exit{Code: frame.ExitFailed, Err: cause, Help: "the draws before are kept; --resume goes on with them once the files can be written"}
}

// leftAt is the error of a run that was left in a call that does not end in time, where there is something to go on with.
func leftAt(a *frame.App, err error) error {
	code := frame.ExitFailed
	if e, ok := errors.AsType[*frame.Exit](err); ok {
		code = e.Code
	}
	a.Stderr.Home()
	return &frame.Exit{Code: code, Err: errors.New("the run was stopped within a step that takes long; --resume goes on with what was done before it")}
}

// prepare does everything that can go wrong by the user's input, before any writing.
func (c *runCmd) prepare(ctx context.Context, a *frame.App) (*session, error) {
	earlier, err := c.earlier(a)
	if err != nil {
		return nil, err
	}
	s := &session{runCmd: c, app: a, started: time.Now()}
	if err := s.choose(); err != nil {
		return nil, err
	}
	p := s.program
	s.seed = c.SeedOr(s.firstSeed())
	if c.drawn != nil && c.Seed == nil {
		s.seed = *c.drawn
	}
	if s.fitted != nil && c.Seed == nil {
		if seed, ok := s.fitted.Seed(); ok {
			s.seed = seed // random transformed data are those of the fit
		}
	}
	if earlier != nil && c.Seed == nil {
		s.seed = earlier.Seed
	}
	s.data = c.DataSource(a, p, c.Model)
	if s.model, err = input.BindModel(ctx, a, p, s.data, c.Options(s.seed)); err != nil {
		return nil, err
	}
	if err := c.Check(s.model.Columns()); err != nil {
		return nil, err
	}
	if s.digest, err = s.data.Digest(); err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if s.fitted != nil {
		if err := ofData(s.fitted, s.digest); err != nil {
			return nil, err
		}
	}
	for _, m := range s.methods {
		if err := frame.Asked(ctx, func() error { return s.model.Supports(m) }); err != nil {
			return nil, frame.OrEnded(ctx, err)
		}
	}
	if err := c.readInit(s); err != nil {
		return nil, err
	}
	if err := s.afford(); err != nil {
		return nil, err
	}
	if s.recipe, err = s.newRecipe(); err != nil || earlier == nil {
		return s, err
	}
	if err := s.recipe.follows(earlier, c.Out); err != nil {
		return s, err
	}
	s.app.RemarkMoved(earlier.Machine, c.Quiet)
	return s, nil
}

// choose compiles the program and finds the methods to run.
func (s *session) choose() (err error) {
	if s.program, err = s.Compile(s.app, s.Model); err != nil {
		return err
	}
	if s.fitted, err = s.readFit(s.app, s.program); err != nil {
		return err
	}
	if s.methods, err = s.chosen(s.app, s.program, s.fitted); err != nil {
		return orWrong(err)
	}
	if err := s.override(s.methods); err != nil {
		return frame.Wrong(err)
	}
	s.names, s.shared = uniqueNames(s.methods), lang.Share(s.methods)
	return nil
}

// earlier returns the recipe of the run to go on with, and takes flags from it.
func (c *runCmd) earlier(a *frame.App) (*recipe, error) {
	if !c.Resume {
		return nil, nil
	}
	r, err := readRecipe(c.Out)
	if err != nil {
		return nil, err
	}
	if r == nil {
		if !c.Quiet {
			a.Say("%s holds no run to go on with; this one starts anew", c.Out)
		}
		return nil, nil
	}
	if c.Data == "" && r.Flags.Data == "-" && !c.Quiet {
		a.Say("the data of this run came from standard input, and are read from there again; --data FILE names a file with the same content")
	}
	c.inherit(r)
	return r, nil
}

func (c *runCmd) validate() error {
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case c.Parts < 0:
		return frame.Wrongf("--parts must not be negative, found %d", c.Parts)
	case c.Parts > 0 && c.On == "":
		return frame.Wrongf("--parts belongs to --on URL: workers evaluate them")
	case c.Digits < 1 || c.Digits > 17:
		return frame.Wrongf("--digits must be from 1 to 17, found %d", c.Digits)
	case c.Like != "" && c.Like != "stan":
		return frame.Wrongf("--like: expected stan, found %q", c.Like)
	case c.Resume && c.Out == "":
		return frame.Wrongf("--resume needs --out DIR: the folder of the run to go on with")
	case c.Overwrite && c.Out == "":
		return frame.Wrongf("--overwrite needs --out DIR: the folder of the fit that may be lost")
	}
	if err := checkLimit(c.TimeLimit); err != nil {
		return err
	}
	if err := c.without(map[string]bool{"fit": c.Fit != "", "jobs": c.Jobs != 0 && c.Parts == 0}); err != nil {
		return err
	}
	return c.OutputFlags.Validate(c.Out)
}

// chosen returns the methods of --method, or those of the inference block; with --fit those
// that wrap it.
func (c *runCmd) chosen(a *frame.App, p *lang.Program, fit *folders.EarlierFit) ([]*lang.Method, error) {
	if fit != nil {
		return c.methodsOn(a, p, fit)
	}
	if len(c.Method) == 0 {
		return p.Methods()
	}
	var out []*lang.Method
	for _, text := range c.Method {
		m, err := p.Method(text)
		if err != nil {
			return nil, err
		}
		if !c.Quiet {
			a.Warn(m.Warnings())
		}
		out = append(out, m)
	}
	return out, nil
}

// override puts the flags in the place of the methods' options. A flag that no method
// has an option for is an error.
func (c *runCmd) override(methods []*lang.Method) error {
	if err := c.overrideOptions(methods); err != nil {
		return err
	}
	for _, m := range methods {
		if err := m.Runnable(); err != nil {
			return err
		}
	}
	return nil
}

func (c *runCmd) overrideOptions(methods []*lang.Method) error {
	for _, f := range []struct {
		option string
		value  *int
	}{{"chains", c.Chains}, {"warmup", c.Warmup}, {"draws", c.Draws}} {
		if f.value != nil {
			if err := set(methods, f.option, strconv.Itoa(*f.value)); err != nil {
				return err
			}
		}
	}
	if c.Like == "stan" {
		for _, m := range methods {
			likeStan(m)
		}
	}
	if _, isRadius := c.radius(); isRadius {
		if err := set(methods, "init", c.Init); err != nil {
			return err
		}
	}
	if c.Seed != nil {
		for _, m := range methods {
			m.DropSeeds()
		}
	}
	return nil
}

// likeStan returns the options of nuts that the program leaves open the values that Stan has.
func likeStan(m *lang.Method) {
	if !m.Has("max_draws") {
		return
	}
	for _, o := range [][2]string{{"warmup", "1000"}, {"draws", "1000"}, {"metric", "diagonal"}, {"adapt", "stan"}} {
		if _, given := m.Value(o[0]); !given {
			_ = m.Set(o[0], o[1]) // the values are valid
		}
	}
}

func set(methods []*lang.Method, option, value string) error {
	used := false
	for _, m := range methods {
		if !m.Has(option) {
			continue
		}
		used = true
		if err := m.Set(option, value); err != nil {
			return fmt.Errorf("--%s: %w", option, err)
		}
	}
	if !used {
		return fmt.Errorf("--%s: %s has no such option", option, methods[0].Name())
	}
	return nil
}

// radius reports whether --init is a number.
func (c *runCmd) radius() (float64, bool) {
	x, err := strconv.ParseFloat(c.Init, 64)
	return x, err == nil
}

// uniqueNames numbers methods whose names occur before.
func uniqueNames(methods []*lang.Method) []string {
	seen := map[string]int{}
	var out []string
	for _, m := range methods {
		name := m.Name()
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		out = append(out, name)
	}
	return out
}

// firstSeed is the first seed that a method gives, or a drawn one.
func (s *session) firstSeed() uint64 {
	for _, m := range s.methods {
		if seed, ok := m.Seed(); ok {
			return seed
		}
	}
	return input.DrawnSeed()
}

// seedOf is the seed of one method: its own, which a flag has removed, or the run's.
func (s *session) seedOf(m *lang.Method) uint64 {
	if seed, ok := m.Seed(); ok {
		return seed
	}
	return s.seed
}

// readInit reads the starting points of --init FILE.
func (c *runCmd) readInit(s *session) error {
	if _, isRadius := c.radius(); isRadius || c.Init == "" {
		return nil
	}
	sets, err := input.ReadPoints(c.Init)
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	for _, set := range sets {
		q, err := s.model.Point(set)
		if err != nil {
			return frame.Wrong(fmt.Errorf("--init: %w", err))
		}
		s.points = append(s.points, q)
	}
	return nil
}

// checkLimit refuses a time limit that leaves no time.
func checkLimit(limit *time.Duration) error {
	if limit != nil && *limit <= 0 {
		return frame.Wrongf("--time-limit must be positive, found %s", limit)
	}
	return nil
}

// fitAll runs the methods one after the other.
func (s *session) fitAll(ctx context.Context) ([]view.Report, error) {
	var reports []view.Report
	for i := range s.methods {
		if ctx.Err() != nil {
			s.partial = true
			break
		}
		fit, err := s.fit(ctx, i)
		if err != nil {
			return nil, err
		}
		s.partial = s.partial || fit.Posterior.Incomplete
		s.drawn = fit.Posterior.Population != nil
		if fit.Posterior.Draws.Total() == 0 {
			continue
		}
		r := view.ReportOf(fit)
		r.Name, r.Parameters = s.names[i], s.Rows(r.Parameters)
		if g := s.methods[i].Grid(); g != nil && g.Of != "" {
			r.Grid = &view.GridPoint{Grid: g.Of, Variable: g.Variable, Value: g.Value}
		}
		reports = append(reports, r)
		if !s.JSON {
			if err := s.show(r, fit); err != nil {
				return nil, err
			}
		}
	}
	if s.JSON {
		return reports, nil
	}
	_, err := io.WriteString(s.app.Raw, view.Grids(reports, s.app.Look(s.Color).Width))
	return reports, err
}

// fit runs one method and writes its files.
func (s *session) fit(ctx context.Context, i int) (*lang.Fit, error) {
	m, name := s.methods[i], s.names[i]
	var drawn atomic.Bool
	watch := infer.Observers{frame.Begun{Call: s.restoreGC}, frame.Ended{Call: func() { drawn.Store(true) }}}
	if !s.Quiet {
		stage := console.FitStage
		if m.Has("warmup") {
			stage = console.ChainStage
		}
		show, end := s.app.Stderr.Watch(stage, m.Has("warmup"))
		watch = append(watch, show)
		defer end()
	}
	early := &outputs.WarmupTable{}
	dir, observer, err := s.observed(m, name, append(watch, early))
	if err != nil {
		return nil, err
	}
	began := time.Now()
	o := lang.RunOptions{Seed: s.seedOf(m), Jobs: outputs.OrProcessors(s.Jobs), Init: s.points, SaveWarmup: s.SaveWarmup, Observer: observer, Shared: s.shared, Deputy: s.deputy, Leave: true}
	away, err := s.courier(i)
	if err != nil {
		return nil, err
	}
	if away != nil {
		o.Relay = away
	}
	fit, err := frame.WithGrace(ctx, frame.FitGrace, drawn.Load, func() (*lang.Fit, error) { return s.model.Run(ctx, m, o) })
	if away != nil && away.err != nil {
		return nil, away.err
	}
	if _, ok := errors.AsType[*lang.MethodError](err); ok {
		return nil, frame.Wrong(err)
	}
	if err != nil || dir == "" {
		return fit, s.ofFit(err)
	}
	if err := s.record(dir, name, m, fit, began); err != nil {
		return fit, err
	}
	return fit, s.export(ctx, dir, fit, early.Table)
}

// observed adds what writes the files of a fit; dir is empty where there are none.
func (s *session) observed(m *lang.Method, name string, watch infer.Observers) (dir string, o infer.Observer, err error) {
	if s.folder == nil {
		return "", watch, nil
	}
	dir = s.folder.Work
	if len(s.methods) > 1 {
		if dir, err = s.folder.Sub(name); err != nil {
			return "", nil, err
		}
	}
	begin := recorder{write: func(plan draws.Plan) error { return draws.WriteRun(s.app.Disk, dir, s.recorded(name, m, plan)) }}
	o, err = s.folder.Watch(dir, s.app.CheckpointEvery, append(watch, begin, s.csv(dir)))
	return dir, o, err
}

// conclude writes the JSON, puts the fit in its place, and finds the exit code.
func (s *session) conclude(ctx context.Context, reports []view.Report) error {
	interrupted := ctx.Err() != nil && !errors.Is(context.Cause(ctx), frame.ErrTimeLimit)
	code := frame.ExitFailed
	if interrupted {
		code = frame.ExitInterrupted
	}
	if len(reports) == 0 {
		if s.folder == nil || s.updates {
			return &frame.Exit{Code: code, Err: errors.New("the run was stopped before the first draw; nothing was written")}
		}
		s.folder.Keep()
		return &frame.Exit{Code: code, Err: errors.New("the run was stopped before the first draw; --resume goes on with it")}
	}
	if s.JSON {
		if err := view.WriteReports(s.app.Stdout, reports); err != nil {
			return err
		}
	}
	if s.folder != nil {
		if err := s.commit(code); err != nil {
			return err
		}
	}
	switch {
	case interrupted:
		return &frame.Exit{Code: frame.ExitInterrupted, Err: errors.New(s.interrupted())}
	case s.Strict && view.IsBad(reports):
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return nil
}

// interrupted says what is left of an interrupted run.
func (s *session) interrupted() string {
	switch {
	case !s.partial:
		return "interrupted after the end: nothing is missing"
	case s.updates && s.drawn:
		return "interrupted; all draws are made, and can be used, but were not all judged"
	case s.updates:
		return "interrupted; the draws so far are kept, of the model fitted anew; the same command begins again"
	case s.folder != nil:
		return "interrupted; the draws so far are kept, and --resume goes on with them"
	}
	return "interrupted; the draws so far are kept"
}

// commit puts the fit in its place; code is that of a run that was stopped and has to leave
// the place to the fit that is there.
func (s *session) commit(code int) error {
	state := manifest.Complete
	if s.partial {
		state = manifest.Incomplete
	}
	replaced, err := s.folder.Commit(state, s.Overwrite)
	if err != nil {
		return err
	}
	if !replaced {
		help := fmt.Sprintf("the draws so far are in %s; ", s.folder.Work)
		if s.updates {
			help += "the same command begins again"
		} else {
			help += "--resume goes on with them, and replaces the fit when the run is complete; --overwrite would replace it at once"
		}
		return &frame.Exit{Code: code, Err: fmt.Errorf("the run was stopped before its end, so the complete fit in %s stays", s.Out), Help: help}
	}
	if !s.Quiet {
		s.app.Say("written: %s", s.Out)
	}
	return nil
}
