// This file writes draws in CmdStan's CSV form while they are made.

package draws

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CSVOptions say where the files go and what their headers tell beside the
// plan.
type CSVOptions struct {
	Dir      string // where chain-1.csv, ... are put; must exist
	Model    string // name of the model
	DataFile string // path of the data file, for the record
	Init     string // what --init was
	Digits   int    // significant digits of draws; 0 means 8
	// Started is the time in the header; the zero time means now.
	Started time.Time
	// Path, if set, names the file of a chain (from 0) in place of
	// Dir/chain-N.csv. Its companions replace ".csv" by "_config.json" and
	// "_metric.json".
	Path func(chain int) string
	// FirstID is the id of the first chain; 0 means 1.
	FirstID int
}

// The format that is written is that of this CmdStan.
const formatMajor, formatMinor, formatPatch = 2, 37, 0

// asCmdStan is the tree of settings in words that CmdStan's readers take, and what these do not say.
func asCmdStan(config []Entry) (out []Entry, remarks []string) {
	for _, e := range config {
		if e.Name == "metric" && e.Value == MetricLowRank {
			e.Value, e.Default = MetricDiagonal, false
			remarks = append(remarks, "the metric is of low rank, for which CmdStan has no word: diag_e, here and below, are its scales alone, and run.json has it whole")
		}
		var more []string
		e.Children, more = asCmdStan(e.Children)
		out, remarks = append(out, e), append(remarks, more...)
	}
	return out, remarks
}

// CSVWriter writes one file a chain. It is an observer of a run (see package
// infer). A file appears with its chain's first line and is complete when the
// chain ends.
type CSVWriter struct {
	options CSVOptions
	plan    Plan
	files   []*csvFile // by chain; each is touched by its own chain only
}

// NewCSVWriter returns a writer; nothing is written before the run begins.
func NewCSVWriter(o CSVOptions) *CSVWriter { return &CSVWriter{options: o.withDefaults()} }

func (o CSVOptions) withDefaults() CSVOptions {
	if o.Digits == 0 {
		o.Digits = 8
	}
	if o.FirstID == 0 {
		o.FirstID = 1
	}
	if o.Started.IsZero() {
		o.Started = time.Now()
	}
	if o.Path == nil {
		o.Path = func(chain int) string { return filepath.Join(o.Dir, fmt.Sprintf("chain-%d.csv", chain+1)) }
	}
	return o
}

// Begin implements infer.Observer.
func (w *CSVWriter) Begin(p Plan) error {
	w.plan = p
	w.plan.Thin = max(p.Thin, 1)
	var remarks []string
	w.plan.Config, remarks = asCmdStan(p.Config)
	w.plan.Remarks = append(remarks, p.Remarks...)
	w.files = make([]*csvFile, p.Chains)
	return nil
}

// Step implements infer.Observer.
func (w *CSVWriter) Step(Step) {}

// Draw implements infer.Observer.
func (w *CSVWriter) Draw(r Row) error {
	f, err := w.file(r.Chain)
	if err != nil {
		return err
	}
	if r.Warmup {
		f.warmup++
	} else {
		f.rows++
	}
	f.waiting++
	b := AppendNumber(f.buf, r.LogDensity, w.options.Digits)
	for i, v := range r.Stats {
		b = append(b, ',')
		if f.integer[i] && v == math.Trunc(v) {
			b = strconv.AppendInt(b, int64(v), 10)
		} else {
			b = AppendNumber(b, v, w.options.Digits)
		}
	}
	for _, v := range r.Values {
		b = append(b, ',')
		b = AppendNumber(b, v, w.options.Digits)
	}
	f.buf = append(b, '\n')
	return f.flush(false)
}

// Adapted implements infer.Observer.
func (w *CSVWriter) Adapted(chain int, a Adaptation) error {
	f, err := w.file(chain)
	if err != nil || a.StepSize == 0 {
		return err
	}
	if began, _ := Find(w.plan.Config, "delta"); a.Delta > 0 && began != nil && began != a.Delta { // warm-up has settled on another
		f.delta = a.Delta
		if err := f.patch(f.deltaAt, a.Delta); err != nil {
			return err
		}
	}
	if hasMetric(w.plan.Config) { // CmdStan's readers know no other adaptation
		f.buf = w.appendAdaptation(f.buf, a)
	}
	if err := f.flush(true); err != nil {
		return err
	}
	text, err := json.MarshalIndent(metricFile(a), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(w.companion(chain, "_metric.json"), append(text, '\n'), 0o666)
}

// End implements infer.Observer: it completes the file. The header then tells
// how many draws there really are.
func (w *CSVWriter) End(chain int, e ChainEnd) error {
	f := w.files[chain]
	if f == nil {
		return nil
	}
	var err error
	if !f.broken {
		f.buf = appendElapsed(f.buf, e)
		err = f.flush(true)
	}
	samples, warmup := f.rows*w.plan.Thin, w.plan.Warmup
	if samples < w.plan.Draws*w.plan.Thin {
		err = firstError(err, f.patch(f.samplesAt, samples))
	}
	if w.plan.SaveWarmup && f.warmup < rowsOf(w.plan.Warmup, w.plan.Thin) {
		warmup = f.warmup * w.plan.Thin
		err = firstError(err, f.patch(f.warmupAt, warmup))
	}
	if f.rows > 0 && e.Warmup > 0 && e.Warmup < warmup { // it ended when it had settled
		warmup = e.Warmup
		err = firstError(err, f.patch(f.warmupAt, warmup))
	}
	err = firstError(err, f.Close())
	text, jsonErr := configJSON(w.config(chain, samples, warmup, f.delta, true))
	if jsonErr == nil {
		jsonErr = os.WriteFile(w.companion(chain, "_config.json"), text, 0o666)
	}
	return firstError(err, jsonErr)
}

// rowsOf is how many rows CmdStan keeps of n iterations.
func rowsOf(n, thin int) int { return (n + thin - 1) / thin }

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *CSVWriter) companion(chain int, suffix string) string {
	return strings.TrimSuffix(w.options.Path(chain), ".csv") + suffix
}

// csvFile is the file of one chain.
type csvFile struct {
	*os.File
	buf          []byte // whole lines not yet written
	flushed      time.Time
	integer      []bool  // sampler columns that hold whole numbers
	rows, warmup int     // lines in file and buffer
	waiting      int     // those of them in the buffer
	size         int64   // of the file: whole lines
	broken       bool    // the disk took no more
	delta        float64 // that was tuned to; 0: as in the settings

	samplesAt, warmupAt, deltaAt field
}

// field is a place in the header that may have to be overwritten; one without width is none.
type field struct {
	offset int64
	width  int
}

// file returns the chain's file, which its first use creates.
func (w *CSVWriter) file(chain int) (*csvFile, error) {
	if f := w.files[chain]; f != nil {
		return f, nil
	}
	out, err := os.Create(w.options.Path(chain))
	if err != nil {
		return nil, err
	}
	f := &csvFile{File: out, flushed: time.Now()}
	for _, name := range w.plan.Stats {
		f.integer = append(f.integer, slices.Contains([]string{"treedepth__", "n_leapfrog__", "divergent__"}, name))
	}
	w.files[chain] = f
	header := appendComments(nil, w.config(chain, w.plan.Draws*w.plan.Thin, w.plan.Warmup, 0, false), 0)
	f.samplesAt = locate(header, " num_samples = ")
	f.warmupAt = locate(header, " num_warmup = ")
	f.deltaAt = locate(header, " delta = ")
	for _, text := range w.plan.Remarks {
		header = append(header, "# ppl: "+text+"\n"...)
	}
	header = append(header, LogDensityColumn...)
	for _, names := range [][]string{w.plan.Stats, w.plan.Columns} {
		for _, name := range names {
			header = append(header, ',')
			header = append(header, name...)
		}
	}
	f.buf = append(header, '\n')
	return f, f.flush(true)
}

// locate finds what stands behind a key, up to the end of the line.
func locate(header []byte, key string) field {
	at := bytes.Index(header, []byte(key))
	if at < 0 {
		return field{}
	}
	at += len(key)
	return field{int64(at), bytes.IndexByte(header[at:], '\n')}
}

// patch overwrites a number in the header where there is room for it: counts can only become shorter.
func (f *csvFile) patch(at field, value any) error {
	text := fmt.Appendf(nil, "%-*s", at.width, commentValue(value))
	if len(text) > at.width {
		return fmt.Errorf("%s: no room in the header for %s", f.Name(), text)
	}
	_, err := f.WriteAt(text, at.offset)
	return err
}

// flush writes the lines gathered so far; without force only when there are
// many or some time has passed.
func (f *csvFile) flush(force bool) error {
	if !force && len(f.buf) < 1<<18 && time.Since(f.flushed) < 200*time.Millisecond {
		return nil
	}
	n, err := f.Write(f.buf)
	if err != nil {
		return errors.Join(err, f.cutOff())
	}
	f.size += int64(n)
	f.waiting = 0
	f.buf, f.flushed = f.buf[:0], time.Now()
	return nil
}

// cutOff leaves the whole lines that the disk took, so that the file can be read.
func (f *csvFile) cutOff() error {
	f.broken = true
	lost := min(f.waiting, f.rows) // draws come last
	f.rows, f.warmup = f.rows-lost, f.warmup-(f.waiting-lost)
	f.buf, f.waiting = f.buf[:0], 0
	return f.Truncate(f.size)
}

// AppendNumber writes a number with so many significant digits, and nan, inf and -inf as CmdStan does.
func AppendNumber(b []byte, v float64, digits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, "nan"...)
	case math.IsInf(v, 1):
		return append(b, "inf"...)
	case math.IsInf(v, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, v, 'g', digits, 64)
}

func (w *CSVWriter) appendAdaptation(b []byte, a Adaptation) []byte {
	b = append(b, "# Adaptation terminated\n# Step size = "...)
	b = AppendNumber(b, a.StepSize, w.options.Digits)
	row := len(a.InvMetric)
	switch a.MetricType {
	case MetricDiagonal, MetricLowRank:
		b = append(b, "\n# Diagonal elements of inverse mass matrix:\n"...)
	case MetricDense:
		b = append(b, "\n# Elements of inverse mass matrix:\n"...)
		row = int(math.Sqrt(float64(len(a.InvMetric))) + 0.5)
	default:
		return append(b, "\n# No free parameters for unit metric\n"...)
	}
	for i, v := range a.InvMetric {
		if i%row == 0 {
			b = append(b, "# "...)
		}
		b = AppendNumber(b, v, w.options.Digits)
		if (i+1)%row == 0 {
			b = append(b, '\n')
		} else {
			b = append(b, ", "...)
		}
	}
	return b
}

func appendElapsed(b []byte, e ChainEnd) []byte {
	seconds := func(d time.Duration) string {
		return strconv.FormatFloat(math.Round(d.Seconds()*1000)/1000, 'f', -1, 64)
	}
	return fmt.Appendf(b, "# \n#  Elapsed Time: %s seconds (Warm-up)\n#                %s seconds (Sampling)\n#                %s seconds (Total)\n# \n",
		seconds(e.WarmupTime), seconds(e.SamplingTime), seconds(e.WarmupTime+e.SamplingTime))
}

// config is the whole header of a run as a tree; delta is what was tuned to, or 0.
func (w *CSVWriter) config(chain, samples, warmup int, delta float64, asJSON bool) []Entry {
	p := w.plan
	settings := p.Config
	if delta > 0 {
		settings = withDelta(settings, delta)
	}
	sample := append([]Entry{
		{Name: "num_samples", Value: samples, Default: samples == 1000},
		{Name: "num_warmup", Value: warmup, Default: warmup == 1000},
		{Name: "save_warmup", Value: p.SaveWarmup, Default: !p.SaveWarmup},
		{Name: "thin", Value: p.Thin, Default: p.Thin == 1},
	}, settings...)
	if !hasMetric(settings) { // which CmdStanPy asks for before it finds that there was no adaptation
		sample = append(sample, Entry{Name: "metric", Value: "none"})
	}
	sample = append(sample, Entry{Name: "num_chains", Value: 1, Default: true})
	tree := w.options.header(chain, p.Seed, Entry{Name: "method", Value: "sample", Default: true, Choice: true, Children: []Entry{{Name: "sample", Children: sample}}}, asJSON)
	if asJSON && len(p.Remarks) > 0 {
		tree = append(tree, Entry{Name: "ppl_remarks", Value: p.Remarks})
	}
	return tree
}

// hasMetric reports whether settings are of a Hamiltonian sampler.
func hasMetric(settings []Entry) bool {
	_, found := Find(settings, "metric")
	return found
}

// withDelta is a copy of a tree of settings with another delta.
func withDelta(config []Entry, delta float64) []Entry {
	out := slices.Clone(config)
	for i, e := range out {
		if e.Name == "delta" {
			out[i].Default = e.Default && e.Value == delta
			out[i].Value = delta
		}
		out[i].Children = withDelta(e.Children, delta)
	}
	return out
}

// header is the tree of a file around the settings of the method. The JSON form spells
// the version keys in another order, and has no indentation to tell parts apart.
func (o CSVOptions) header(chain int, seed uint64, method Entry, asJSON bool) []Entry {
	version := []Entry{
		{Name: "stan_version_major", Value: formatMajor},
		{Name: "stan_version_minor", Value: formatMinor},
		{Name: "stan_version_patch", Value: formatPatch},
		{Name: "model", Value: o.Model},
	}
	if asJSON {
		version = []Entry{
			{Name: "stan_major_version", Value: strconv.Itoa(formatMajor)},
			{Name: "stan_minor_version", Value: strconv.Itoa(formatMinor)},
			{Name: "stan_patch_version", Value: strconv.Itoa(formatPatch)},
			{Name: "model_name", Value: o.Model},
		}
	}
	id := o.FirstID + chain
	return append(version,
		Entry{Name: "start_datetime", Value: o.Started.UTC().Format("2006-01-02 15:04:05 UTC")},
		method,
		Entry{Name: "id", Value: id, Default: id == 1},
		Entry{Name: "data", Children: []Entry{{Name: "file", Value: o.DataFile, Default: o.DataFile == ""}}},
		Entry{Name: "init", Value: o.Init, Default: o.Init == "2"},
		Entry{Name: "random", Children: []Entry{{Name: "seed", Value: seed}}},
		Entry{Name: "output", Children: []Entry{
			{Name: "file", Value: filepath.Base(o.Path(chain))},
			{Name: "diagnostic_file", Value: "", Default: true},
			{Name: "refresh", Value: 100, Default: true},
			{Name: "sig_figs", Value: o.Digits, Default: o.Digits == 8},
			{Name: "profile_file", Value: "profile.csv", Default: true},
			{Name: "save_cmdstan_config", Value: true},
		}},
		Entry{Name: "num_threads", Value: 1, Default: true},
		Entry{Name: "stanc_version", Value: "ppl"},
		Entry{Name: "stancflags", Value: ""},
	)
}

// metricFile is the content of _metric.json: a dense metric is nested by rows,
// a unit one is a diagonal of no numbers.
func metricFile(a Adaptation) any {
	var inv any = a.InvMetric
	if a.MetricType == MetricDense {
		n := int(math.Sqrt(float64(len(a.InvMetric))) + 0.5)
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = a.InvMetric[i*n : (i+1)*n]
		}
		inv = rows
	}
	if a.MetricType == MetricUnit {
		inv = []float64{}
	}
	if a.MetricType == MetricLowRank {
		a.MetricType = MetricDiagonal
	}
	return struct {
		StepSize   float64 `json:"stepsize"`
		MetricType string  `json:"metric_type"`
		InvMetric  any     `json:"inv_metric"`
	}{a.StepSize, a.MetricType, inv}
}
