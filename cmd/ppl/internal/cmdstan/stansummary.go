package cmdstan

// This file is bin/stansummary, and bin/print, its older name: statistics of the draws in
// CSV files.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// summaryOptions are the arguments of stansummary.
type summaryOptions struct {
	autocorr    int // number of a file; 0 for none
	csv         string
	digits      int
	percentiles []float64
	only        []string // parameters to show; none for all
	files       []string
	help        bool
}

const summaryUsage = `Usage: stansummary [OPTIONS] stan_csv_file(s)
Statistics of the draws in CSV files, one file for each chain.
Options:
  -a, --autocorr [n]          autocorrelations of the n-th file, too
  -c, --csv_filename [file]   write the table to a file, too, which must not exist
  -h, --help                  this page
  -i, --include_param [name]  only these parameters; may be repeated
  -p, --percentiles [values]  rising numbers above 0 and below 100, divided by commas; 5,50,95 without it
  -s, --sig_figs [n]          significant figures, from 1 to 18; 2 without it
`

// summaryNames are the options' short and other names.
var summaryNames = map[string]string{
	"-a": "autocorr", "-c": "csv_filename", "-h": "help", "-i": "include_param", "-p": "percentiles", "-s": "sig_figs",
	"--autocorr": "autocorr", "--csv_filename": "csv_filename", "--csv_file": "csv_filename", "--help": "help",
	"--include_param": "include_param", "--model_param": "include_param", "--percentiles": "percentiles", "--sig_figs": "sig_figs",
}

func parseSummary(args []string) (*summaryOptions, error) {
	o := &summaryOptions{digits: 2, percentiles: []float64{5, 50, 95}}
	for i := 0; i < len(args); i++ {
		word, value, valued := strings.Cut(args[i], "=")
		if !strings.HasPrefix(word, "-") {
			o.files = append(o.files, args[i])
			continue
		}
		name := summaryNames[word]
		if name == "" && !strings.HasPrefix(word, "--") && summaryNames[word[:min(2, len(word))]] != "" {
			name, value, valued = summaryNames[word[:2]], args[i][2:], true // as in -s3
		}
		switch name {
		case "":
			return nil, says("The following argument was not expected: %s", args[i])
		case "help":
			o.help = true
			return o, nil
		}
		if !valued {
			if i++; i == len(args) {
				return nil, fmt.Errorf("%s: 1 required", word)
			}
			value = args[i]
		}
		if err := o.set(name, value); err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
	}
	switch {
	case len(o.files) == 0:
		return nil, errors.New("input_files is required")
	case o.autocorr > len(o.files):
		return nil, says("Option --autocorr: %d not a valid chain id.", o.autocorr)
	}
	return o, nil
}

func (o *summaryOptions) set(name, value string) (err error) {
	switch name {
	case "autocorr":
		if o.autocorr, err = strconv.Atoi(value); err != nil || o.autocorr < 1 {
			return fmt.Errorf("expected the number of a file, from 1, found %q", value)
		}
	case "sig_figs":
		if o.digits, err = strconv.Atoi(value); err != nil || o.digits < 1 || o.digits > 18 {
			return says("Value %s not in range [1 - 18]", value)
		}
	case "csv_filename":
		if o.csv = value; exists(value) {
			return says("Path already exists: %s", value)
		}
	case "include_param":
		o.only = append(o.only, bracketed(value))
	case "percentiles":
		o.percentiles, err = parsePercentiles(value)
	}
	return err
}

func parsePercentiles(list string) ([]float64, error) {
	var out []float64
	last := 0.0
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || !(x > last && x < 100) {
			return nil, fmt.Errorf("expected rising numbers above 0 and below 100, found %q", list)
		}
		out, last = append(out, x), x
	}
	return out, nil
}

// bracketed writes a column's indices in brackets: theta.1.2 as theta[1,2].
func bracketed(name string) string {
	fields := strings.Split(name, ":")
	for i, field := range fields {
		if base, indices, found := strings.Cut(field, "."); found {
			fields[i] = base + "[" + strings.ReplaceAll(indices, ".", ",") + "]"
		}
	}
	return strings.Join(fields, ".")
}

// runSummary is the program.
func runSummary(args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(out, summaryUsage)
		return exitNotOK
	}
	o, err := parseSummary(args)
	if err != nil {
		fmt.Fprintf(errs, "%v\nRun with --help for more information.\n", err)
		return exitNotOK
	}
	if o.help {
		fmt.Fprint(out, summaryUsage)
		return exitOK
	}
	if err := o.run(out); err != nil {
		fmt.Fprintf(errs, "Error during processing. %v\n", err)
		return exitNotOK
	}
	return exitOK
}

// A summaryTable holds the rows: lp__ and the sampler's columns, then the model's.
type summaryTable struct {
	names   []string
	figures [][]float64
	sampler int // rows before the model's
}

func (o *summaryOptions) run(out io.Writer) error {
	fit, err := draws.ReadFiles(o.files...)
	if err != nil {
		return err
	}
	t, err := o.table(fit)
	if err != nil {
		return err
	}
	header := o.header()
	fmt.Fprint(out, t.text(fit, header, o.digits))
	if o.autocorr > 0 {
		writeAutocorrelation(out, fit, o.autocorr-1)
	}
	if o.csv == "" {
		return nil
	}
	digits := o.digits
	if digits == 2 {
		digits = 6 // a file is for programs
	}
	return os.WriteFile(o.csv, []byte(t.csv(fit, header, digits)), 0o666)
}

func (o *summaryOptions) header() []string {
	header := []string{"Mean", "MCSE", "StdDev", "MAD"}
	for _, p := range o.percentiles {
		header = append(header, strconv.FormatFloat(p, 'g', -1, 64)+"%")
	}
	return append(header, "ESS_bulk", "ESS_tail", "ESS_bulk/s", "R_hat")
}

// table computes the rows.
func (o *summaryOptions) table(fit *draws.Fit) (*summaryTable, error) {
	d := fit.Draws.Balanced()
	if d.Total() == 0 {
		return nil, errors.New("the files hold no draws after warm-up")
	}
	spent := 0.0
	for _, c := range fit.Chains {
		spent += c.End.SamplingTime.Seconds()
	}
	t := &summaryTable{sampler: 1 + len(d.Stats())}
	wanted := slices.Clone(o.only)
	for i, name := range d.Names() {
		shown := bracketed(name)
		if i >= t.sampler && len(o.only) > 0 {
			if !slices.Contains(o.only, shown) {
				continue
			}
			wanted = slices.DeleteFunc(wanted, func(w string) bool { return w == shown })
		}
		t.names = append(t.names, shown)
		t.figures = append(t.figures, o.figures(d, name, spent))
	}
	if len(wanted) > 0 {
		return nil, says("--include_param: Unrecognized parameter(s): '%s'", strings.Join(wanted, "' '"))
	}
	return t, nil
}

// figures are those of one column, in the order of the header.
func (o *summaryOptions) figures(d *draws.Draws, name string, seconds float64) []float64 {
	probabilities := make([]float64, len(o.percentiles))
	for i, p := range o.percentiles {
		probabilities[i] = p / 100
	}
	s := d.Describe(name, probabilities...)
	const scale = 1.4826 // so that the deviation is the standard deviation of a normal distribution
	out := append([]float64{s.Mean, s.MCSE, s.SD, scale * s.MAD}, s.Quantiles...)
	return append(out, s.ESSBulk, s.ESSTail, s.ESSBulk/seconds, s.RHat)
}

// timing is the head of the output.
func timing(fit *draws.Fit) string {
	var warmup, sampling []string
	var warmupSum, samplingSum float64
	for _, c := range fit.Chains {
		warmup, sampling = append(warmup, figure(c.End.WarmupTime.Seconds(), 2)), append(sampling, figure(c.End.SamplingTime.Seconds(), 2))
		warmupSum += c.End.WarmupTime.Seconds()
		samplingSum += c.End.SamplingTime.Seconds()
	}
	first := fit.Chains[0]
	model := first.Setting("model")
	return fmt.Sprintf("Inference for Stan model: %s\n%d chains: each with iter=%d; warmup=%d; thin=%d; %d iterations saved.\n\nWarmup took (%s) seconds, %s seconds total\nSampling took (%s) seconds, %s seconds total\n",
		model, len(fit.Chains), fit.Plan.Draws*fit.Plan.Thin, fit.Plan.Warmup, fit.Plan.Thin, fit.Plan.Draws,
		strings.Join(warmup, ", "), figure(warmupSum, 2), strings.Join(sampling, ", "), figure(samplingSum, 2))
}

// samplerInfo is the foot.
func samplerInfo(fit *draws.Fit) string {
	algorithm, engine := fit.Chains[0].Setting("algorithm"), fit.Chains[0].Setting("engine")
	if engine != "" {
		algorithm += " with " + engine
	}
	return "Samples were drawn using " + algorithm + ".\n" +
		"For each parameter, ESS_bulk and ESS_tail are the effective sample sizes of the bulk\n" +
		"and of the 5th and 95th percentiles, and R_hat compares the halves of all chains by\n" +
		"their ranks; where they have converged it is close to 1.\n"
}

// figure prints a number to significant figures, without an exponent where it stays short.
func figure(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return string(appendNumber(nil, v, digits))
	}
	if fixed := fixedFigure(v, digits); len(fixed) <= digits+6 {
		return fixed
	}
	return strconv.FormatFloat(v, 'e', digits-1, 64)
}

func fixedFigure(v float64, digits int) string {
	decimals := digits
	if v != 0 {
		decimals = digits - 1 - int(math.Floor(libm.Log10(math.Abs(v))))
	}
	return strconv.FormatFloat(v, 'f', max(0, decimals), 64)
}

// text is the table for people.
func (t *summaryTable) text(fit *draws.Fit, header []string, digits int) string {
	cells := make([][]string, len(t.figures))
	widths := make([]int, len(header))
	for c, h := range header {
		widths[c] = len(h)
	}
	width := 0
	for r, row := range t.figures {
		width = max(width, len(t.names[r]))
		for c, v := range row {
			cell := figure(v, digits)
			if h := header[c]; strings.HasPrefix(h, "ESS") && !math.IsNaN(v) && !math.IsInf(v, 0) {
				cell = strconv.FormatFloat(v, 'f', 0, 64)
			}
			cells[r] = append(cells[r], cell)
			widths[c] = max(widths[c], len(cell))
		}
	}
	var b strings.Builder
	line := func(name string, row []string) {
		fmt.Fprintf(&b, "%-*s", width+1, name)
		for c, cell := range row {
			fmt.Fprintf(&b, "  %*s", widths[c], cell)
		}
		b.WriteByte('\n')
	}
	b.WriteString(timing(fit) + "\n")
	line("", header)
	b.WriteByte('\n')
	for r := range cells {
		if r == t.sampler {
			b.WriteByte('\n')
		}
		line(t.names[r], cells[r])
	}
	b.WriteString("\n" + samplerInfo(fit))
	return b.String()
}

// csv is the table for programs.
func (t *summaryTable) csv(fit *draws.Fit, header []string, digits int) string {
	var b strings.Builder
	b.WriteString("name")
	for _, h := range header {
		fmt.Fprintf(&b, ",\"%s\"", h)
	}
	b.WriteByte('\n')
	for r, row := range t.figures {
		fmt.Fprintf(&b, "\"%s\"", t.names[r])
		for _, v := range row {
			b.WriteByte(',')
			b.Write(appendNumber(nil, v, digits))
		}
		b.WriteByte('\n')
	}
	for _, line := range strings.Split(strings.TrimSuffix(timing(fit)+samplerInfo(fit), "\n"), "\n") {
		b.WriteString("# " + line + "\n")
	}
	return b.String()
}

// mostLags bounds the autocorrelations shown.
const mostLags = 40

// writeAutocorrelation prints the autocorrelations of all columns of a chain.
func writeAutocorrelation(out io.Writer, fit *draws.Fit, chain int) {
	d := fit.Draws
	fmt.Fprintf(out, "\nDisplaying the autocorrelations for chain %d:\n\n%4s", chain+1, "Lag")
	var columns [][]string
	for _, name := range d.Names() {
		fmt.Fprintf(out, "  %12s", bracketed(name))
		d.Each(name, func(c int, x []float64) {
			if c != chain {
				return
			}
			var shown []string
			for lag := range min(mostLags, len(x)) {
				shown = append(shown, figure(autocorrelation(x, lag), 2))
			}
			columns = append(columns, shown)
		})
	}
	fmt.Fprintln(out)
	for lag := range min(mostLags, d.Len(chain)) {
		fmt.Fprintf(out, "%4d", lag)
		for _, shown := range columns {
			fmt.Fprintf(out, "  %12s", shown[lag])
		}
		fmt.Fprintln(out)
	}
}

// autocorrelation is that of a series at a lag.
func autocorrelation(x []float64, lag int) float64 {
	mean := draws.Mean([][]float64{x})
	var variance, covariance float64
	for i, v := range x {
		variance += (v - mean) * (v - mean)
		if i >= lag {
			covariance += (v - mean) * (x[i-lag] - mean)
		}
	}
	return covariance / variance
}
