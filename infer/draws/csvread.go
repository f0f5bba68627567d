// This file reads CSV files of CmdStan's form, ours and CmdStan's own.

package draws

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	p := newParser(r, name)
	p.take = func(row []float64) { p.csv.Rows = append(p.csv.Rows, slices.Clone(row)) }
	p.untake = func() [][]float64 {
		rows := p.csv.Rows
		p.csv.Rows = nil
		return rows
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.csv, nil
}

// A csvParser reads a file line by line.
type csvParser struct {
	csv     *CSV
	name    string
	in      *bufio.Reader
	named   func()              // called when the names of the columns are known; may be nil
	take    func(row []float64) // called with each draw, which is only lent
	untake  func() [][]float64  // takes back what was taken
	values  []float64           // of the row
	long    []byte              // a line that is longer than the buffer
	number  int                 // of the line
	atEnd   bool
	adapted bool        // the line that ends adaptation has come
	saves   bool        // the header announces rows of warm-up
	saved   [][]float64 // rows where warm-up is expected, until it is known which are
	metric  bool        // numbers of the metric follow
}

func newParser(r io.Reader, name string) *csvParser {
	return &csvParser{csv: &CSV{End: ChainEnd{Incomplete: true}}, name: name, in: bufio.NewReaderSize(r, 1<<18)}
}

// read reads it all.
func (p *csvParser) read() error {
	switch mark, _ := p.in.Peek(3); {
	case string(mark) == "\xEF\xBB\xBF": // the byte order mark that Excel and PowerShell write
		_, _ = p.in.Discard(3) // what was peeked at
	case len(mark) > 1 && (mark[0] == 0xFF && mark[1] == 0xFE || mark[0] == 0xFE && mark[1] == 0xFF || mark[0] == 0 || mark[1] == 0):
		return fmt.Errorf("%s: the text is UTF-16 or no text; save it as UTF-8", p.name)
	}
	for !p.atEnd {
		if err := p.line(); err != nil {
			return fmt.Errorf("%s:%d: %w", p.name, p.number, err)
		}
	}
	if p.csv.Names == nil {
		return fmt.Errorf("%s: no line with column names, so this is no CSV file of draws", p.name)
	}
	p.divide()
	return nil
}

// text is the next line without white space at its ends, which is good until the next call. broken: the line has
// no end, so the writer may have been stopped here.
func (p *csvParser) text() (text []byte, broken bool, err error) {
	text, err = p.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		p.long = p.long[:0]
		for err == bufio.ErrBufferFull {
			p.long = append(p.long, text...)
			text, err = p.in.ReadSlice('\n')
		}
		text = append(p.long, text...)
		p.long = text
	}
	if broken = err == io.EOF; broken {
		err = nil
	}
	return bytes.TrimSpace(text), broken, err
}

func (p *csvParser) line() error {
	text, broken, err := p.text()
	if err != nil {
		return err
	}
	p.atEnd = broken
	p.number++
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '#':
		return p.comment(string(text))
	case p.csv.Names == nil:
		p.csv.Names = strings.Split(string(text), ",")
		p.values = make([]float64, 0, len(p.csv.Names))
		save := p.csv.Setting("save_warmup")
		p.saves = save == "1" || save == "true"
		if p.named != nil {
			p.named()
		}
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
	if p.saves && !p.adapted {
		p.saved = append(p.saved, slices.Clone(row))
		return nil
	}
	p.take(row)
	return nil
}

// row are the numbers of a line, good until the next call.
func (p *csvParser) row(text []byte) ([]float64, error) {
	row := p.values[:0]
	for more := true; more; {
		var field []byte
		field, text, more = bytes.Cut(text, comma)
		v, ok := decimal(field)
		if !ok {
			var err error
			v, err = strconv.ParseFloat(strings.TrimSpace(string(field)), 64)
			if err != nil && !math.IsInf(v, 0) {
				return nil, fmt.Errorf("column %d: %q is not a number", len(row)+1, field)
			}
		}
		row = append(row, v)
	}
	if len(row) != len(p.csv.Names) {
		return nil, fmt.Errorf("%d values for %d columns", len(row), len(p.csv.Names))
	}
	p.values = row
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
		p.csv.Warmup, p.saved = append(p.untake(), p.saved...), nil
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

// divide tells warm-up and draws apart where rows of warm-up were announced and no line of the file
// separates them.
func (p *csvParser) divide() {
	if p.adapted || !p.saves {
		return
	}
	c := p.csv
	n := min(rowsOf(c.count("num_warmup"), max(1, c.count("thin"))), len(p.saved))
	c.Warmup = p.saved[:n:n]
	for _, row := range p.saved[n:] {
		p.take(row)
	}
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
	if len(paths) == 0 {
		return nil, fmt.Errorf("no files to read")
	}
	fit := &Fit{Chains: make([]*CSV, len(paths))}
	tables := make([]*Draws, len(paths))
	errs := make([]error, len(paths))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		wg.Go(func() {
			for i := range next {
				fit.Chains[i], tables[i], errs[i] = readChain(paths[i], len(paths))
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, c := range fit.Chains {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if !slices.Equal(c.Names, fit.Chains[0].Names) {
			return nil, fmt.Errorf("%s: its columns are not those of %s", paths[i], paths[0])
		}
	}
	fit.assemble(tables)
	return fit, nil
}

// readChain reads one of several files, its draws into a table with lp__ first.
func readChain(path string, files int) (*CSV, *Draws, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	p := newParser(f, path)
	var table *Draws
	var order layout
	row := Row{}
	p.named = func() {
		order = layoutOf(p.csv.Names)
		table = newOf(1, files, order.names(order.stats), order.names(order.columns))
		row.Stats, row.Values = make([]float64, len(order.stats)), make([]float64, len(order.columns))
	}
	p.take = func(values []float64) {
		row.LogDensity = math.NaN()
		if order.lp >= 0 {
			row.LogDensity = values[order.lp]
		}
		for i, k := range order.stats {
			row.Stats[i] = values[k]
		}
		for i, k := range order.columns {
			row.Values[i] = values[k]
		}
		table.Append(row)
	}
	p.untake = func() (rows [][]float64) {
		if table == nil {
			return nil
		}
		for i := range table.Len(0) {
			rows = append(rows, order.inFile(table.Row(0, i)))
		}
		table = newOf(1, files, table.Stats(), table.Columns())
		return rows
	}
	err = p.read()
	return p.csv, table, err
}

// A layout is where the columns of a table are in a file.
type layout struct {
	all            []string
	lp             int // -1 for none
	stats, columns []int
}

func layoutOf(names []string) layout {
	l := layout{all: names, lp: slices.Index(names, LogDensityColumn)}
	for i, name := range names {
		switch {
		case i == l.lp:
		case strings.HasSuffix(name, "__"):
			l.stats = append(l.stats, i)
		default:
			l.columns = append(l.columns, i)
		}
	}
	return l
}

func (l layout) names(at []int) []string { return Picked(l.all, at) }

// inFile is a row of the table in the order of the file.
func (l layout) inFile(row []float64) []float64 {
	out := make([]float64, len(l.all))
	if l.lp >= 0 {
		out[l.lp] = row[0]
	}
	for i, k := range slices.Concat(l.stats, l.columns) {
		out[k] = row[1+i]
	}
	return out
}

// assemble makes one table of those of the files.
func (f *Fit) assemble(tables []*Draws) {
	first := f.Chains[0]
	seed, _ := strconv.ParseUint(first.Setting("seed"), 10, 64)
	f.Draws = &Draws{names: tables[0].names, stats: tables[0].stats}
	for _, t := range tables {
		f.Draws.chains = append(f.Draws.chains, t.chains...)
	}
	f.Plan = Plan{
		Method: first.Setting("engine"), Chains: len(f.Chains), Draws: f.Draws.Longest(),
		Warmup: first.count("num_warmup"), Thin: max(1, first.count("thin")),
		SaveWarmup: len(first.Warmup) > 0, Seed: seed,
		Stats: f.Draws.Stats(), Columns: f.Draws.Columns(), Config: first.Settings,
	}
	if f.Plan.Method == "" {
		f.Plan.Method = first.Setting("algorithm")
	}
}
