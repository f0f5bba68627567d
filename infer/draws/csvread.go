// This file reads CSV files of CmdStan's form, ours and CmdStan's own.

package draws

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// CSV is the content of one file: one chain.
type CSV struct {
	Settings   []Entry     // the header's "name = value" lines, values as strings, in order
	Names      []string    // all columns, as written
	Warmup     [][]float64 // rows before the end of adaptation
	Rows       [][]float64
	Adaptation Adaptation
	End        ChainEnd // Incomplete if the file breaks off before its last lines
	Cut        bool     // the last line has no end; it is left out
}

// Setting is the value of a header line, or "".
func (c *CSV) Setting(name string) string {
	v, _ := Find(c.Settings, name)
	s, _ := v.(string)
	return s
}

func (c *CSV) count(name string) int {
	n, _ := strconv.Atoi(c.Setting(name))
	return n
}

// ReadCSV reads one file; name is for error messages, which tell the line.
// A last row without a line end is left out: a number in it may have lost digits.
func ReadCSV(r io.Reader, name string) (*CSV, error) {
	p := csvParser{csv: &CSV{End: ChainEnd{Incomplete: true}}, in: bufio.NewReaderSize(r, 1<<20)}
	switch mark, _ := p.in.Peek(3); {
	case string(mark) == "\xEF\xBB\xBF": // the byte order mark that Excel and PowerShell write
		_, _ = p.in.Discard(3) // what was peeked at
	case len(mark) > 1 && (mark[0] == 0xFF && mark[1] == 0xFE || mark[0] == 0xFE && mark[1] == 0xFF || mark[0] == 0 || mark[1] == 0):
		return nil, fmt.Errorf("%s: the text is UTF-16 or no text; save it as UTF-8", name)
	}
	for !p.atEnd {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.number, err)
		}
	}
	if p.csv.Names == nil {
		return nil, fmt.Errorf("%s: no line with column names, so this is no CSV file of draws", name)
	}
	p.divide()
	return p.csv, nil
}

type csvParser struct {
	csv     *CSV
	in      *bufio.Reader
	number  int // of the line
	atEnd   bool
	adapted bool // the line that ends adaptation has come
	metric  bool // numbers of the metric follow
}

func (p *csvParser) line() error {
	text, err := p.in.ReadString('\n')
	broken := err == io.EOF // no line end: the writer may have been stopped here
	if err != nil && !broken {
		return err
	}
	p.atEnd = broken
	p.number++
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil
	case text[0] == '#':
		return p.comment(text)
	case p.csv.Names == nil:
		p.csv.Names = strings.Split(text, ",")
		return nil
	}
	if broken {
		p.csv.Cut = true
		return nil
	}
	row, err := p.row(text)
	if err != nil {
		return err
	}
	p.csv.Rows = append(p.csv.Rows, row)
	return nil
}

func (p *csvParser) row(text string) ([]float64, error) {
	row := make([]float64, 0, len(p.csv.Names))
	for field := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil && !math.IsInf(v, 0) {
			return nil, fmt.Errorf("column %d: %q is not a number", len(row)+1, field)
		}
		row = append(row, v)
	}
	if len(row) != len(p.csv.Names) {
		return nil, fmt.Errorf("%d values for %d columns", len(row), len(p.csv.Names))
	}
	return row, nil
}

var elapsed = regexp.MustCompile(`([0-9.eE+-]+) seconds \((Warm-up|Sampling|Total)\)`)

func (p *csvParser) comment(text string) error {
	text = strings.TrimSpace(strings.TrimPrefix(text, "#"))
	if m := elapsed.FindStringSubmatch(text); m != nil {
		return p.elapsed(m[1], m[2])
	}
	switch {
	case p.csv.Names == nil:
		p.setting(text)
	case text == "Adaptation terminated":
		p.adapted = true
		p.csv.Warmup, p.csv.Rows = p.csv.Rows, nil
	case strings.HasPrefix(text, "Step size"):
		_, value, _ := strings.Cut(text, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			return fmt.Errorf("step size %q is not a number", value)
		}
		p.csv.Adaptation.StepSize = v
		p.csv.Adaptation.MetricType = MetricUnit
	case strings.HasPrefix(text, "Diagonal elements of inverse mass matrix"):
		p.csv.Adaptation.MetricType, p.metric = MetricDiagonal, true
	case strings.HasPrefix(text, "Elements of inverse mass matrix"):
		p.csv.Adaptation.MetricType, p.metric = MetricDense, true
	case p.metric && text != "":
		return p.metricRow(text)
	}
	return nil
}

func (p *csvParser) setting(text string) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return
	}
	value, isDefault := strings.CutSuffix(strings.TrimSpace(value), "(Default)")
	p.csv.Settings = append(p.csv.Settings, Entry{
		Name: strings.TrimSpace(name), Value: strings.TrimSpace(value), Default: isDefault,
	})
}

func (p *csvParser) metricRow(text string) error {
	for field := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return fmt.Errorf("inverse mass matrix: %q is not a number", field)
		}
		p.csv.Adaptation.InvMetric = append(p.csv.Adaptation.InvMetric, v)
	}
	p.metric = p.csv.Adaptation.MetricType == MetricDense
	return nil
}

func (p *csvParser) elapsed(value, phase string) error {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("elapsed time %q is not a number", value)
	}
	d := time.Duration(seconds * float64(time.Second))
	switch phase {
	case "Warm-up":
		p.csv.End.WarmupTime = d
	case "Sampling":
		p.csv.End.SamplingTime = d
	}
	p.csv.End.Incomplete = false
	p.metric = false
	return nil
}

// divide moves saved warm-up rows out of the draws where no line of the file
// separates them.
func (p *csvParser) divide() {
	c := p.csv
	save := c.Setting("save_warmup")
	if p.adapted || save != "1" && save != "true" {
		return
	}
	n := min(rowsOf(c.count("num_warmup"), max(1, c.count("thin"))), len(c.Rows))
	c.Warmup, c.Rows = c.Rows[:n:n], c.Rows[n:]
}

// Short reports how many draws the header of a file announces and how many there are, if
// these are fewer.
func (c *CSV) Short(rows int) (announced int, short bool) {
	n := c.count("num_samples") / max(1, c.count("thin"))
	return n, rows < n
}

// Fit is what the CSV files of one fit hold together.
type Fit struct {
	Plan   Plan
	Draws  *Draws
	Chains []*CSV // their rows have moved to Draws
}

// ReadDir reads the files chain-1.csv, chain-2.csv, ... of a fit's folder.
func ReadDir(dir string) (*Fit, error) {
	paths, err := ChainFiles(dir)
	if err != nil {
		return nil, err
	}
	return ReadFiles(paths...)
}

// ChainFiles are the paths of chain-1.csv, chain-2.csv, ... in a folder, by number; it is an
// error if there is none.
func ChainFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if ChainNumber(e.Name()) > 0 {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no chain-1.csv, so this is no folder of a fit", dir)
	}
	slices.SortFunc(paths, func(a, b string) int { return ChainNumber(a) - ChainNumber(b) })
	return paths, nil
}

var chainFile = regexp.MustCompile(`^chain-([1-9]\d{0,8})\.csv$`)

// ChainNumber is the number of the chain, from 1, that a file of this path has the draws of; 0
// for other files.
func ChainNumber(path string) int {
	m := chainFile.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// ReadFiles reads files, one a chain, which must have the same columns.
func ReadFiles(paths ...string) (*Fit, error) {
	fit := &Fit{}
	for _, path := range paths {
		c, err := readFile(path)
		if err != nil {
			return nil, err
		}
		if len(fit.Chains) > 0 && !slices.Equal(c.Names, fit.Chains[0].Names) {
			return nil, fmt.Errorf("%s: its columns are not those of %s", path, paths[0])
		}
		fit.Chains = append(fit.Chains, c)
	}
	if len(fit.Chains) == 0 {
		return nil, fmt.Errorf("no files to read")
	}
	fit.assemble()
	return fit, nil
}

func readFile(path string) (*CSV, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadCSV(f, path)
}

// assemble moves the rows into one table with lp__ first.
func (f *Fit) assemble() {
	first := f.Chains[0]
	lp := slices.Index(first.Names, LogDensityColumn)
	var stats, columns []int
	for i, name := range first.Names {
		switch {
		case i == lp:
		case strings.HasSuffix(name, "__"):
			stats = append(stats, i)
		default:
			columns = append(columns, i)
		}
	}
	pick := func(idx []int) []string {
		out := make([]string, len(idx))
		for i, k := range idx {
			out[i] = first.Names[k]
		}
		return out
	}
	seed, _ := strconv.ParseUint(first.Setting("seed"), 10, 64)
	f.Plan = Plan{
		Method: first.Setting("engine"), Chains: len(f.Chains),
		Warmup: first.count("num_warmup"), Thin: max(1, first.count("thin")),
		SaveWarmup: len(first.Warmup) > 0, Seed: seed,
		Stats: pick(stats), Columns: pick(columns), Config: first.Settings,
	}
	if f.Plan.Method == "" {
		f.Plan.Method = first.Setting("algorithm")
	}
	f.Draws = New(len(f.Chains), f.Plan.Stats, f.Plan.Columns)
	row := Row{Stats: make([]float64, len(stats)), Values: make([]float64, len(columns)), LogDensity: math.NaN()}
	for chain, c := range f.Chains {
		f.Plan.Draws = max(f.Plan.Draws, len(c.Rows))
		f.Draws.Reserve(chain, len(c.Rows))
		for _, values := range c.Rows {
			row.Chain = chain
			if lp >= 0 {
				row.LogDensity = values[lp]
			}
			for i, k := range stats {
				row.Stats[i] = values[k]
			}
			for i, k := range columns {
				row.Values[i] = values[k]
			}
			f.Draws.Append(row)
		}
		c.Rows = nil
	}
}
