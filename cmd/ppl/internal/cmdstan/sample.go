package cmdstan

// This file is method=sample: chains, each with its own files.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
)

// sample runs the chains, as many at a time as there are threads. Chain i of several has
// the random numbers of a process of its own with the id that it gets.
func (j *job) sample() error {
	fixed := j.text("method", "sample", "algorithm") == "fixed_param"
	if !fixed && j.flag("method", "sample", "adapt", "engaged") && j.int("method", "sample", "num_warmup") == 0 {
		fmt.Fprintln(j.out, "The number of warmup samples (num_warmup) must be greater than zero if adaptation is enabled.")
		return errors.New("num_warmup=0 needs adapt engaged=0")
	}
	n := j.int("method", "sample", "num_chains")
	ctx, cancel := context.WithCancel(j.ctx)
	defer cancel()
	defer j.model.Bound().TrackRun(ctx)()
	errs := make([]error, n)
	j.each(n, func(i int) {
		if ctx.Err() != nil {
			return
		}
		if errs[i] = infer.Guarded(func() error { return j.chain(ctx, i, n, fixed) }); errs[i] != nil {
			cancel()
		}
	})
	err := errors.Join(errs...)
	if err == nil {
		err = j.interrupted()
	}
	return j.started(err, !fixed && j.model.Dim() > 0)
}

// started explains a chain or search that found no point to start from as CmdStan does; told
// says that the reasons have been printed.
func (j *job) started(err error, told bool) error {
	var failed *infer.InitError
	if !errors.As(err, &failed) {
		return err
	}
	if !told {
		fmt.Fprint(j.out, rejectedStart(failed.Last))
	}
	if failed.Tries == 1 {
		fmt.Fprintln(j.out, "User-specified initialization failed.\n Try specifying new initial values,\n reducing ranges of constrained values,\n or reparameterizing the model.")
	} else {
		r := streamed(failed.Radius)
		fmt.Fprintf(j.out, "\nInitialization between (-%s, %s) failed after %d attempts. \n Try specifying initial values, reducing ranges of constrained values, or reparameterizing the model.\n", r, r, failed.Tries)
	}
	return says("Initialization failed.")
}

// rejectedStart reports why a point is none to start from.
func rejectedStart(err error) string {
	const cannot = "\n  Stan can't start sampling from this initial value.\n"
	switch {
	case infer.IsReject(err):
		return "Rejecting initial value:\n  Error evaluating the log probability at the initial value.\nException: " + reason(err) + "\n"
	case errors.Is(err, infer.ErrZeroDensity):
		return "Rejecting initial value:\n  Log probability evaluates to log(0), i.e. negative infinity." + cannot
	}
	return "Rejecting initial value:\n  " + err.Error() + "." + cannot
}

// reason is why the model rejects a point, in a line.
func reason(err error) string {
	if text := exception(err); text != "" {
		return text
	}
	return err.Error()
}

// chain runs chain i of n from its files to its files.
func (j *job) chain(ctx context.Context, i, n int, fixed bool) (err error) {
	init, err := j.init(i, n)
	if err != nil {
		return err
	}
	thin := j.int("method", "sample", "thin")
	o := infer.MarkovOptions{Chains: 1, Warmup: j.int("method", "sample", "num_warmup"),
		Draws: rowsOf(j.int("method", "sample", "num_samples"), thin), Thin: thin, Init: init}
	w := &chainWriter{job: j, thin: thin, total: o.Warmup + j.int("method", "sample", "num_samples"), warmup: o.Warmup, refresh: j.int("output", "refresh")}
	if n > 1 {
		w.label = fmt.Sprintf("Chain [%d] ", j.id()+i)
	}
	var method infer.Markov = infer.FixedParam{Options: o}
	switch {
	case fixed:
		w.total, w.warmup = w.total-w.warmup, 0
	case j.model.Dim() == 0:
		w.still = newStill(j)
		if j.flag("method", "sample", "save_warmup") {
			w.still.warmup = rowsOf(o.Warmup, thin)
			o.Draws += w.still.warmup
			method = infer.FixedParam{Options: o}
		} else {
			w.skipped = o.Warmup
		}
	default:
		if w.sampler, err = j.sampler(o, i, n); err != nil {
			return err
		}
		w.sampler.say = w.announce
		method = w.sampler
	}
	if err := w.open(i, n); err != nil {
		return err
	}
	_, err = method.Run(ctx, j.density(), infer.Options{
		Seed: j.seed, Replicate: uint64(j.id() + i - 1), SaveWarmup: j.flag("method", "sample", "save_warmup"), Observer: w})
	return errors.Join(err, w.close())
}

// rowsOf is how many of n iterations are written.
func rowsOf(n, thin int) int { return (n + thin - 1) / thin }

// sampler is the Hamiltonian method of chain i.
func (j *job) sampler(o infer.MarkovOptions, i, n int) (*sampler, error) {
	adapt := func(name string) float64 { return j.real("method", "sample", "adapt", name) }
	algorithm := []string{"method", "sample", "algorithm", "hmc"}
	at := func(names ...string) []string { return append(slices.Clone(algorithm), names...) }
	s := &sampler{
		options: o, engaged: j.flag("method", "sample", "adapt", "engaged"), jitter: j.real(at("stepsize_jitter")...),
		depth: j.int(at("engine", "nuts", "max_depth")...),
		tuning: hmc.Tuning{
			Delta: adapt("delta"), Gamma: adapt("gamma"), Kappa: adapt("kappa"), T0: adapt("t0"),
			Buffers:  hmc.Buffers{Init: int(adapt("init_buffer")), Term: int(adapt("term_buffer")), Base: int(adapt("window"))},
			Metric:   j.text(at("metric")...),
			StepSize: j.real(at("stepsize")...),
			Around:   j.real(at("stepsize")...),
		},
	}
	if j.text(at("engine")...) == "static" {
		s.time = j.real(at("engine", "static", "int_time")...)
	}
	path := j.text(at("metric_file")...)
	if path == "" || s.tuning.Metric == draws.MetricUnit {
		return s, nil
	}
	names, err := inputNames(path, n, j.id())
	if err != nil {
		return nil, err
	}
	s.metric, err = readMetric(names[i], s.tuning.Metric, j.model.Dim())
	return s, err
}

// readMetric reads inv_metric from a file.
func readMetric(path, kind string, dim int) ([]float64, error) {
	set, err := readVariables(path, func(name string) bool { return name == "inv_metric" })
	if err != nil {
		return nil, err
	}
	v := set.Vars["inv_metric"]
	if v == nil || v.IsTuple() {
		return nil, says("%s: Cannot get inverse metric from input file: no variable inv_metric", path)
	}
	want := []int{dim}
	if kind == draws.MetricDense {
		want = []int{dim, dim}
	}
	if !slices.Equal(v.Dims, want) {
		return nil, says("%s: Cannot get inverse metric from input file: inv_metric has sizes %v, expected %v for metric=%s", path, v.Dims, want, kind)
	}
	return v.X, nil
}

// A chainWriter is the observer of one chain: files and lines of progress.
type chainWriter struct {
	*job
	sampler       *sampler // nil for fixed_param, and where there are no parameters
	still         *still   // of a model without parameters; nil for fixed_param
	table         *table
	diagnostic    *table // nil where not asked for
	metricPath    string // empty where not asked for
	label         string
	thin          int
	total, warmup int // iterations
	refresh       int
	begun         bool // a transition was made
	skipped       int  // iterations of warm-up that are not made, for nothing would move
	adapted       bool // the adaptation of a model without parameters is written
}

// announce prints a message of the chain.
func (w *chainWriter) announce(text string) { fmt.Fprint(w.out, text) }

// open begins the files of chain i.
func (w *chainWriter) open(i, n int) (err error) {
	if w.table, err = w.newTable(outputNames(w.text("output", "file"), "", ".csv", n, w.id())[i]); err != nil {
		return err
	}
	if path := w.text("output", "diagnostic_file"); path != "" && w.sampler != nil {
		if w.diagnostic, err = w.newTable(outputNames(path, "", ".csv", n, w.id())[i]); err != nil {
			return err
		}
	}
	if (w.sampler != nil || w.still != nil) && w.flag("method", "sample", "adapt", "save_metric") {
		w.metricPath = outputNames(w.text("output", "file"), "_metric", ".json", n, w.id())[i]
	}
	return nil
}

func (w *chainWriter) close() error {
	err := w.table.close()
	if w.diagnostic != nil {
		err = errors.Join(err, w.diagnostic.close())
	}
	return err
}

// timeGradient reports how long a gradient takes, at the point 0.
func (w *chainWriter) timeGradient() {
	if w.sampler == nil {
		return
	}
	t := w.density().NewEvaluator()
	q, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	_, _ = t.LogDensityGrad(q, grad) // the first call records the program; a rejection takes as long
	began := time.Now()
	_, _ = t.LogDensityGrad(q, grad)
	writeGradientTime(w.out, time.Since(began))
}

func writeGradientTime(out io.Writer, took time.Duration) {
	s := math.Ceil(took.Seconds()*1e6) / 1e6
	fmt.Fprintf(out, "\nGradient evaluation took %s seconds\n1000 transitions using 10 leapfrog steps per transition would take %s seconds.\nAdjust your expectations accordingly!\n\n\n",
		streamed(s), streamed(1e4*s))
}

// Begin implements infer.Observer.
func (w *chainWriter) Begin(p draws.Plan) error {
	stats := p.Stats
	if w.still != nil {
		stats = w.still.stats
	}
	w.table.header([]string{draws.LogDensityColumn}, stats, p.Columns)
	if w.diagnostic != nil {
		free := w.model.UnconstrainedNames()
		names := slices.Clone(free)
		for _, prefix := range []string{"p_", "g_"} {
			for _, name := range free {
				names = append(names, prefix+name)
			}
		}
		w.diagnostic.header([]string{draws.LogDensityColumn}, p.Stats, names)
	}
	return nil
}

// Step implements infer.Observer: it prints a line at the start and the end of a phase and
// every refresh iterations of it.
func (w *chainWriter) Step(s draws.Step) {
	if !w.begun {
		w.begun = true
		w.timeGradient()
		for i := range w.skipped {
			w.progress(i + 1)
		}
	}
	w.progress(w.skipped + s.Done)
}

func (w *chainWriter) progress(done int) {
	if w.refresh == 0 || done > w.total {
		return
	}
	phase, name := done, "Warmup"
	if done > w.warmup {
		phase, name = done-w.warmup, "Sampling"
	}
	if done == w.total || phase == 1 || phase%w.refresh == 0 {
		width := len(strconv.Itoa(w.total))
		fmt.Fprintf(w.out, "%sIteration: %*d / %d [%3d%%]  (%s)\n", w.label, width, done, w.total, 100*done/w.total, name)
	}
}

// Draw implements infer.Observer.
func (w *chainWriter) Draw(r draws.Row) error {
	switch {
	case w.still != nil:
		if r.Iteration >= w.still.warmup {
			w.stood()
		}
		w.table.row(w.still.row, r.Values)
		return w.table.err
	case w.sampler == nil:
		w.table.row([]float64{0, 0}, r.Values) // CmdStan evaluates no density here
		return w.table.err
	}
	w.table.row([]float64{r.LogDensity}, r.Stats, r.Values)
	if w.diagnostic != nil {
		q, p, g := w.sampler.phase()
		w.diagnostic.row([]float64{r.LogDensity}, r.Stats, q, p, g)
	}
	return w.table.err
}

// Adapted implements infer.Observer.
func (w *chainWriter) Adapted(_ int, a draws.Adaptation) error {
	if w.sampler == nil {
		return nil
	}
	return w.write(a)
}

// stood writes the adaptation of a model without parameters, once.
func (w *chainWriter) stood() {
	if !w.adapted {
		w.adapted = true
		w.table.err = errors.Join(w.table.err, w.write(w.still.adaptation))
	}
}

// write writes what warm-up learned.
func (w *chainWriter) write(a draws.Adaptation) error {
	for _, t := range []*table{w.table, w.diagnostic} {
		if t != nil {
			t.adaptation(a)
		}
	}
	if w.metricPath == "" {
		return nil
	}
	text, err := json.MarshalIndent(metricFile(a), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(w.metricPath, append(text, '\n'), 0o666)
}

// adaptation writes what warm-up learned.
func (t *table) adaptation(a draws.Adaptation) {
	t.comment("Adaptation terminated\nStep size = " + string(appendNumber(nil, a.StepSize, t.digits)))
	row := len(a.InvMetric)
	switch a.MetricType {
	case draws.MetricUnit:
		t.comment("No free parameters for unit metric")
		return
	case draws.MetricDiagonal:
		t.comment("Diagonal elements of inverse mass matrix:")
	default:
		t.comment("Elements of inverse mass matrix:")
		row = int(math.Sqrt(float64(row)) + 0.5)
	}
	if len(a.InvMetric) == 0 {
		t.line("# ")
	}
	for numbers := range slices.Chunk(a.InvMetric, max(row, 1)) {
		line := []byte("# ")
		for i, v := range numbers {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = appendNumber(line, v, t.digits)
		}
		t.line(string(line))
	}
}

// End implements infer.Observer.
func (w *chainWriter) End(_ int, e draws.ChainEnd) error {
	if e.Incomplete && !w.begun {
		return nil
	}
	if w.still != nil {
		w.stood()
	}
	text := elapsed(e.WarmupTime, e.SamplingTime)
	for _, t := range []*table{w.table, w.diagnostic} {
		if t != nil {
			t.comment("\n" + text + "\n")
		}
	}
	if !e.Incomplete { // clients take the times for the sign that a chain has finished
		fmt.Fprintf(w.out, "\n%s\n\n", text)
	}
	return nil
}

// metricFile is the content of a metric's file.
func metricFile(a draws.Adaptation) any {
	var inv any = append([]float64{}, a.InvMetric...)
	switch a.MetricType {
	case draws.MetricUnit:
		inv = []float64{}
	case draws.MetricDense:
		inv = slices.Collect(slices.Chunk(a.InvMetric, max(1, int(math.Sqrt(float64(len(a.InvMetric)))+0.5))))
	}
	return struct {
		StepSize   draws.Number `json:"stepsize"`
		MetricType string       `json:"metric_type"`
		InvMetric  any          `json:"inv_metric"`
	}{draws.Number(a.StepSize), a.MetricType, inv}
}
