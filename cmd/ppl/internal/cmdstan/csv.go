package cmdstan

// This file writes CSV files as CmdStan has them: the arguments as comments, a line of
// names, rows.

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// stancVersion is what the compiler calls itself.
const stancVersion = "stanc3 v2.37.0 (ppl)"

// A table is a CSV file being written. Its error is kept, so that writers need not look
// after each line.
type table struct {
	file    *os.File
	buf     *bufio.Writer
	digits  int
	scratch []byte
	flushed time.Time
	err     error
}

// newTable begins a file with the arguments as comments.
func (j *job) newTable(path string) (*table, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t := &table{file: f, buf: bufio.NewWriterSize(f, 1<<16), digits: j.int("output", "sig_figs"), flushed: time.Now()}
	if t.digits < 1 {
		t.digits = 8
	}
	t.comment(fmt.Sprintf("stan_version_major = %d\nstan_version_minor = %d\nstan_version_patch = %d", versionMajor, versionMinor, versionPatch))
	t.comment("model = " + j.exe.Name)
	t.comment("start_datetime = " + t.flushed.UTC().Format(dateFormat))
	var echo strings.Builder
	j.echo(&echo, "")
	t.comment(strings.TrimSuffix(echo.String(), "\n"))
	t.comment("stanc_version = " + stancVersion + "\nstancflags = " + j.exe.StancFlags)
	return t, nil
}

// comment writes a comment line for each line of text.
func (t *table) comment(text string) {
	for _, line := range strings.Split(text, "\n") {
		t.line("# " + line)
	}
}

// line writes a line as it is.
func (t *table) line(text string) {
	if _, err := t.buf.WriteString(text + "\n"); err != nil && t.err == nil {
		t.err = err
	}
}

// header writes the names of the columns.
func (t *table) header(lists ...[]string) {
	var all []string
	for _, names := range lists {
		all = append(all, names...)
	}
	t.line(strings.Join(all, ","))
}

// row writes the numbers of some lists, one after the other.
func (t *table) row(lists ...[]float64) {
	b := t.scratch[:0]
	for _, list := range lists {
		for _, v := range list {
			b = append(appendNumber(b, v, t.digits), ',')
		}
	}
	t.scratch = b
	t.line(strings.TrimSuffix(string(b), ","))
	if time.Since(t.flushed) > 200*time.Millisecond {
		t.flush()
	}
}

func (t *table) flush() {
	t.flushed = time.Now()
	if err := t.buf.Flush(); err != nil && t.err == nil {
		t.err = err
	}
}

// close ends the file and gives the first error.
func (t *table) close() error {
	t.flush()
	return errors.Join(t.err, t.file.Close())
}

// appendNumber writes a number as a C++ stream does.
func appendNumber(b []byte, v float64, digits int) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.AppendInt(b, int64(v), 10) // exact in fewer digits than any setting short of 7 would round
	}
	return draws.AppendNumber(b, v, digits)
}

// streamed prints a number with the six digits of a C++ stream.
func streamed(v float64) string { return string(draws.AppendNumber(nil, v, 6)) }

// seconds prints a duration as CmdStan does, to the microsecond.
func seconds(d time.Duration) string { return streamed(math.Round(d.Seconds()*1e6) / 1e6) }

// elapsed are the three lines about times, for file and console.
func elapsed(warmup, sampling time.Duration) string {
	return fmt.Sprintf(" Elapsed Time: %s seconds (Warm-up)\n               %s seconds (Sampling)\n               %s seconds (Total)",
		seconds(warmup), seconds(sampling), seconds(warmup+sampling))
}
