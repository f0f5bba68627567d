// This file is the journal: checkpoints and rows of chains as files.

package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// A Dir is a journal in a folder. It implements infer.Journal.
type Dir struct {
	disk  disk.Disk
	path  string
	every time.Duration
	begun time.Time

	mu     sync.Mutex
	chains map[int]*chain

	writing sync.Mutex // of what is held
}

// New returns the journal of a folder, which must exist: an empty one, or that of the
// run to be resumed. A checkpoint of each chain is due after that time; where making
// one takes long, after ten times what it takes. Before the first is due none is written, since a fit of
// a tenth of a second would wait for the disk for longer than it samples; those of all chains are written before the
// first one after that, so that the checkpoints in the folder always belong together.
func New(d disk.Disk, path string, every time.Duration) *Dir {
	return &Dir{disk: d, path: path, every: every, begun: time.Now(), chains: map[int]*chain{}}
}

// young reports whether checkpoints stay in memory.
func (d *Dir) young() bool { return time.Since(d.begun) < d.every }

// chain is the files of one chain. One goroutine uses it at a time.
type chain struct {
	index int
	base  string   // of their names
	rows  *os.File // open for appending
	buf   []byte   // rows not yet written
	sum   uint32   // CRC-32C of the rows written
	width int      // numbers in a row; 0 until it is known
	last  *saved   // the latest checkpoint; nil for none
	at    time.Time
	took  time.Duration
	tuned uint32 // CRC-32C of chain-N.tuned; 0: it is not there

	waits bool  // the latest checkpoint was held when it was made
	held  *held // what is to be written; guarded by Dir.writing
}

// held is a checkpoint whose rows are in their file, and that is to be written.
type held struct {
	tuned []byte // content of chain-N.tuned; nil: it is there, or not needed
	state []byte
}

// saved is the content of a checkpoint's file.
type saved struct {
	Chain    int    // whose it is
	Width    int    // numbers in a row
	RowsSum  uint32 // CRC-32C of the rows before it
	TunedSum uint32 // of the content of chain-N.tuned; 0: it is not needed
	infer.Checkpoint
}

// maxBuffer bounds the rows that wait in memory, in bytes.
const maxBuffer = 1 << 20

func (d *Dir) chain(i int) *chain {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.chains[i]
	if c == nil {
		c = &chain{index: i, base: filepath.Join(d.path, fmt.Sprintf("chain-%d", i+1)), at: time.Now()}
		d.chains[i] = c
	}
	return c
}

// Last implements infer.Journal. A file that is not what was written is a *DamagedError.
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
	if err := c.compareRows(c.rows); err != nil {
		return nil, err
	}
	return &c.last.Checkpoint, c.rows.Truncate(c.size())
}

// compareRows compares the rows before the latest checkpoint with its checksum.
func (c *chain) compareRows(rows io.Reader) error {
	sum := crc32.New(castagnoli)
	n, err := io.CopyN(sum, rows, c.size())
	switch {
	case errors.Is(err, io.EOF):
		return &DamagedError{c.base + ".rows", fmt.Sprintf("it is shorter than its checkpoint says, so the run cannot be resumed: %d bytes, expected %d", n, c.size())}
	case err != nil:
		return err
	case sum.Sum32() != c.last.RowsSum:
		return &DamagedError{c.base + ".rows", fmt.Sprintf("its rows have changed since they were written, so the run cannot be resumed: the checksum was %08x, and is %08x", c.last.RowsSum, sum.Sum32())}
	}
	c.sum = c.last.RowsSum
	return nil
}

// size is that of the rows before the latest checkpoint, in bytes.
func (c *chain) size() int64 {
	return int64(c.last.WarmupRows+c.last.Rows) * int64(c.width) * 8
}

func (c *chain) load() (*saved, error) {
	var s saved
	_, err := read(c.base+".state", &s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case s.Chain != c.index:
		return nil, &DamagedError{c.base + ".state", fmt.Sprintf("this is the checkpoint of chain %d", s.Chain+1)}
	case s.Width < 0 || s.Rows < 0 || s.WarmupRows < 0:
		return nil, &DamagedError{c.base + ".state", "this is no checkpoint that can be read"}
	}
	if s.Tuned {
		c.tuned, err = read(c.base+".tuned", &s.Tuning)
		if err == nil && c.tuned != s.TunedSum {
			err = &DamagedError{c.base + ".tuned", "this is the tuning of another run or chain"}
		}
	}
	return &s, err
}

// Verify compares the checkpoints in a folder with their checksums.
func Verify(dir string) []*DamagedError {
	found, _ := fs.Glob(os.DirFS(dir), "chain-*.state")
	var out []*DamagedError
	for _, name := range found {
		var n int
		if _, err := fmt.Sscanf(name, "chain-%d.state", &n); err != nil || n < 1 {
			continue
		}
		c := &chain{index: n - 1, base: filepath.Join(dir, fmt.Sprintf("chain-%d", n))}
		if err := c.verify(); err != nil {
			var damaged *DamagedError
			if !errors.As(err, &damaged) {
				damaged = &DamagedError{c.base + ".rows", err.Error()}
			}
			out = append(out, damaged)
		}
	}
	return out
}

func (c *chain) verify() error {
	var err error
	if c.last, err = c.load(); err != nil || c.last == nil {
		return err
	}
	c.width = c.last.Width
	rows, err := disk.Open(c.base + ".rows")
	if err != nil {
		return err
	}
	defer rows.Close()
	return c.compareRows(rows)
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
	c.sum = crc32.Update(c.sum, castagnoli, c.buf)
	_, err := c.rows.Write(c.buf)
	c.buf = c.buf[:0]
	return err
}

// Due implements infer.Journal.
func (d *Dir) Due(i int) bool {
	c := d.chain(i)
	return c.waits && !d.young() || time.Since(c.at) >= max(d.every, 10*c.took)
}

// Save implements infer.Journal.
func (d *Dir) Save(i int, at *infer.Checkpoint) error {
	c := d.chain(i)
	if c.last != nil && c.last.Done == at.Done && c.last.Tuned == at.Tuned && c.last.StageEnd == at.StageEnd {
		return nil
	}
	began := time.Now()
	if err := c.flush(); err != nil {
		return err
	}
	h, s := &held{}, &saved{Chain: i, Width: c.width, RowsSum: c.sum, Checkpoint: *at}
	var err error
	if at.Tuned {
		if c.tuned == 0 {
			if h.tuned, c.tuned, err = encode(at.Tuning); err != nil {
				return err
			}
		}
		s.Tuning, s.TunedSum = nil, c.tuned
	}
	if h.state, _, err = encode(s); err != nil {
		return err
	}
	c.waits = d.young()
	if err := d.hold(c, h); err != nil {
		return err
	}
	c.last, c.at = s, time.Now()
	c.took = c.at.Sub(began)
	return nil
}

// hold has a chain's checkpoint written, unless the run is young.
func (d *Dir) hold(c *chain, h *held) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	if c.held != nil && h.tuned == nil {
		h.tuned = c.held.tuned
	}
	if c.held = h; c.waits {
		return nil
	}
	return d.release()
}

// release writes what is held of all chains: the rows, then the tuning, then the checkpoints that need both.
func (d *Dir) release() error {
	d.mu.Lock()
	all := maps.Clone(d.chains)
	d.mu.Unlock()
	tuned, state := map[string][]byte{}, map[string][]byte{}
	for _, i := range slices.Sorted(maps.Keys(all)) {
		c := all[i]
		if c.held == nil {
			continue
		}
		if err := d.disk.Sync(c.rows); err != nil {
			return err
		}
		name := filepath.Base(c.base)
		if c.held.tuned != nil {
			tuned[name+".tuned"] = c.held.tuned
		}
		state[name+".state"] = c.held.state
	}
	for _, content := range []map[string][]byte{tuned, state} {
		if err := d.disk.ReplaceAll(d.path, content); err != nil {
			return err
		}
	}
	for _, c := range all {
		c.held = nil
	}
	return nil
}

// Close implements infer.Journal.
func (d *Dir) Close(i int) error {
	c := d.chain(i)
	if c.rows == nil {
		return nil
	}
	d.writing.Lock()
	err := d.release()
	c.held = nil // where it could not be written: the file is closed now
	d.writing.Unlock()
	return errors.Join(err, c.rows.Close())
}
