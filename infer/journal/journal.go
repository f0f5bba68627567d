// This file is the journal: checkpoints and rows of chains as files.

package journal

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
)

// A Dir is a journal in a folder. It implements infer.Journal.
type Dir struct {
	path  string
	every time.Duration

	mu     sync.Mutex
	chains map[int]*chain
}

// New returns the journal of a folder, which must exist: an empty one, or that of the
// run to be resumed. A checkpoint of each chain is due after that time; where making
// one takes long, after ten times what it takes.
func New(path string, every time.Duration) *Dir {
	return &Dir{path: path, every: every, chains: map[int]*chain{}}
}

// chain is the files of one chain. One goroutine uses it at a time.
type chain struct {
	base  string   // of their names
	rows  *os.File // open for appending
	buf   []byte   // rows not yet written
	width int      // numbers in a row; 0 until it is known
	last  *saved   // the latest checkpoint; nil for none
	at    time.Time
	took  time.Duration
	tuned bool // chain-N.tuned is there
}

// saved is the content of a checkpoint's file.
type saved struct {
	Width int // numbers in a row
	infer.Checkpoint
}

// maxBuffer bounds the rows that wait in memory, in bytes.
const maxBuffer = 1 << 20

func (d *Dir) chain(i int) *chain {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.chains[i]
	if c == nil {
		c = &chain{base: filepath.Join(d.path, fmt.Sprintf("chain-%d", i+1)), at: time.Now()}
		d.chains[i] = c
	}
	return c
}

// Last implements infer.Journal.
func (d *Dir) Last(i int) (*infer.Checkpoint, error) {
	c := d.chain(i)
	var err error
	if c.last, err = c.load(); err != nil {
		return nil, err
	}
	if c.rows, err = os.OpenFile(c.base+".rows", os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if c.last == nil {
		return nil, c.rows.Truncate(0)
	}
	c.width = c.last.Width
	info, err := c.rows.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < c.size() {
		return nil, fmt.Errorf("%s.rows is shorter than its checkpoint says, so the run cannot be resumed", c.base)
	}
	return &c.last.Checkpoint, c.rows.Truncate(c.size())
}

// size is that of the rows before the latest checkpoint, in bytes.
func (c *chain) size() int64 {
	return int64(c.last.WarmupRows+c.last.Rows) * int64(c.width) * 8
}

func (c *chain) load() (*saved, error) {
	var s saved
	err := read(c.base+".state", &s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if s.Tuned {
		c.tuned = true
		err = read(c.base+".tuned", &s.Tuning)
	}
	return &s, err
}

func read(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := gob.NewDecoder(bufio.NewReader(f)).Decode(into); err != nil {
		return fmt.Errorf("%s: this is no checkpoint that can be read: %w", path, err)
	}
	return nil
}

// Rows implements infer.Journal.
func (d *Dir) Rows(i int, take func([]float64) error) error {
	c := d.chain(i)
	if _, err := c.rows.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(c.rows, 1<<16)
	raw, row := make([]byte, 8*c.width), make([]float64, c.width)
	for range c.last.WarmupRows + c.last.Rows {
		if _, err := io.ReadFull(in, raw); err != nil {
			return fmt.Errorf("%s.rows: %w", c.base, err)
		}
		for k := range row {
			row[k] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*k:]))
		}
		if err := take(row); err != nil {
			return err
		}
	}
	_, err := c.rows.Seek(c.size(), io.SeekStart)
	return err
}

// Add implements infer.Journal.
func (d *Dir) Add(i int, row []float64) error {
	c := d.chain(i)
	if c.width == 0 {
		c.width = len(row)
	}
	for _, v := range row {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(v))
	}
	if len(c.buf) < maxBuffer {
		return nil
	}
	return c.flush()
}

func (c *chain) flush() error {
	_, err := c.rows.Write(c.buf)
	c.buf = c.buf[:0]
	return err
}

// Due implements infer.Journal.
func (d *Dir) Due(i int) bool {
	c := d.chain(i)
	return time.Since(c.at) >= max(d.every, 10*c.took)
}

// Save implements infer.Journal.
func (d *Dir) Save(i int, at *infer.Checkpoint) error {
	c := d.chain(i)
	if c.last != nil && c.last.Done == at.Done && c.last.Tuned == at.Tuned {
		return nil
	}
	began := time.Now()
	if err := errors.Join(c.flush(), c.rows.Sync()); err != nil {
		return err
	}
	s := &saved{Width: c.width, Checkpoint: *at}
	if at.Tuned {
		if !c.tuned {
			if err := replace(c.base+".tuned", at.Tuning); err != nil {
				return err
			}
			c.tuned = true
		}
		s.Tuning = nil
	}
	if err := replace(c.base+".state", s); err != nil {
		return err
	}
	c.last, c.at = s, time.Now()
	c.took = c.at.Sub(began)
	return syncDir(d.path)
}

// replace writes a file whole or not at all.
func replace(path string, content any) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := errors.Join(gob.NewEncoder(w).Encode(content), w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// syncDir makes a change of names last. Systems that cannot do it for a folder do it by
// themselves.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}

// Close implements infer.Journal.
func (d *Dir) Close(i int) error {
	c := d.chain(i)
	if c.rows == nil {
		return nil
	}
	return c.rows.Close()
}
