package main

// This file keeps the finished parts of diagnoses, so that ppl diagnose can be resumed.

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// diagnosisRecipeFile is the name of the recipe of a diagnosis in checkpointDir.
const diagnosisRecipeFile = "diagnose.json"

// A diagnosisRecipe is all that the verdicts of a run of ppl diagnose depend on.
type diagnosisRecipe struct {
	Version   string         `json:"version"`
	Machine   *draws.Machine `json:"machine,omitempty"`
	Model     *draws.Source  `json:"model"`
	Data      *draws.Source  `json:"data"`
	Seed      uint64         `json:"seed"`
	Methods   []string       `json:"methods"` // judged where no diagnosis was asked for
	Diagnoses []string       `json:"diagnoses"`
	Shard     string         `json:"shard,omitempty"`    // the share of the units; empty: all
	Flags     diagnosisFlags `json:"flags,omitzero"`     // by which ppl merge asks for the same
	Finished  bool           `json:"finished,omitempty"` // the share is done
}

// diagnosisFlags are flags of the command line as they were given.
type diagnosisFlags struct {
	With    []string `json:"with,omitempty"`
	Chains  *int     `json:"chains,omitempty"`
	Warmup  *int     `json:"warmup,omitempty"`
	Draws   *int     `json:"draws,omitempty"`
	Seed    *uint64  `json:"seed,omitempty"`
	Include []string `json:"include,omitempty"`
	Impute  []string `json:"impute,omitempty"`
}

// readDiagnosisRecipe returns that of a folder; nil where there is none.
func readDiagnosisRecipe(dir string) (*diagnosisRecipe, error) {
	at := filepath.Join(dir, folders.CheckpointDir, diagnosisRecipeFile)
	text, err := disk.ReadFile(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	var r diagnosisRecipe
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, frame.Wrongf("--resume: %s: %w", at, err)
	}
	return &r, nil
}

func (s *diagnosing) newRecipe(list []*lang.Diagnosis) *diagnosisRecipe {
	r := &diagnosisRecipe{Version: frame.Version, Machine: frame.ThisMachine(), Model: folders.ModelDigest(s.Paths[0], s.program), Data: s.digest, Seed: s.seed}
	for _, m := range s.methods {
		r.Methods = append(r.Methods, m.String())
	}
	for _, d := range list {
		r.Diagnoses = append(r.Diagnoses, d.String())
	}
	r.Flags = diagnosisFlags{s.With, s.Chains, s.Warmup, s.Draws, s.diagnoseCmd.Seed, s.Include, s.Impute}
	if s.division.Divided() {
		r.Shard = s.division.String()
	}
	return r
}

// write puts the recipe into a folder, whole or not at all.
func (r *diagnosisRecipe) write(d disk.Disk, dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return d.ReplaceBytes(filepath.Join(dir, folders.CheckpointDir, diagnosisRecipeFile), append(text, '\n'))
}

// A mismatch is what two recipes do not agree in.
type mismatch struct{ what, was, is string }

// differsFrom reports why parts of recipe old are none of recipe r, share apart; nil where they are.
func (r *diagnosisRecipe) differsFrom(old *diagnosisRecipe) *mismatch {
	switch {
	case old.Version != r.Version:
		return &mismatch{"version of ppl", old.Version, r.Version}
	case !folders.SameSource(old.Model, r.Model):
		return &mismatch{"model", folders.Shown(old.Model), folders.Shown(r.Model)}
	case !folders.SameSource(old.Data, r.Data):
		return &mismatch{"data set", folders.Shown(old.Data), folders.Shown(r.Data)}
	case old.Seed != r.Seed:
		return &mismatch{"seed", fmt.Sprint(old.Seed), fmt.Sprint(r.Seed)}
	case !slices.Equal(old.Flags.Impute, r.Flags.Impute):
		return &mismatch{"--impute", fmt.Sprintf("%q", old.Flags.Impute), fmt.Sprintf("%q", r.Flags.Impute)}
	case !slices.Equal(old.Methods, r.Methods):
		return &mismatch{"method", strings.Join(old.Methods, "; "), strings.Join(r.Methods, "; ")}
	case !slices.Equal(old.Diagnoses, r.Diagnoses) || !slices.Equal(old.Flags.With, r.Flags.With): // a binding and what it stands for are different fits
		return &mismatch{"diagnosis", strings.Join(old.Diagnoses, "; "), strings.Join(r.Diagnoses, "; ")}
	}
	return nil
}

// follows reports why diagnoses of recipe r cannot go on with those of recipe old.
func (r *diagnosisRecipe) follows(old *diagnosisRecipe, dir string) error {
	d := r.differsFrom(old)
	if d == nil && old.Shard != r.Shard {
		d = &mismatch{"share", cmp.Or(old.Shard, "all"), cmp.Or(r.Shard, "all")}
	}
	if d == nil {
		return nil
	}
	return differs(dir, d.what, d.was, d.is)
}

// begin makes the folder for parts, or checks that the one that is there is of the same
// run.
func (s *diagnosing) begin(list []*lang.Diagnosis) error {
	if s.Out == "" {
		return nil
	}
	r := s.newRecipe(list)
	s.recipe = r
	if s.earlier != nil {
		if err := r.follows(s.earlier, s.Out); err != nil {
			return err
		}
		s.app.RemarkMoved(s.earlier.Machine, s.Quiet)
	}
	err := os.MkdirAll(s.Out, 0o755)
	if err == nil {
		s.unlock, err = system.Lock(s.Out)
	}
	if err != nil {
		return frame.Wrongf("--out %s: %w", s.Out, frame.PlainPath(err))
	}
	if there, err := readDiagnosisRecipe(s.Out); err == nil && there != nil && s.earlier == nil && there.Shard != "" && there.Shard != r.Shard {
		return frame.Wrongf("--out %s holds share %s of a diagnosis; choose another folder", s.Out, there.Shard)
	}
	s.parts = []string{path.Join(folders.CheckpointDir, diagnosisRecipeFile)}
	for i := range list {
		s.parts = append(s.parts, path.Join(folders.CheckpointDir, partsName(i)))
	}
	// The list first: a folder that it is not in is taken for somebody else's.
	err = folders.ListingOf(s.app, s.Out, s.Quiet).Begin(s.parts...)
	if err == nil {
		err = os.MkdirAll(filepath.Join(s.Out, folders.CheckpointDir), 0o755)
	}
	if err != nil || s.earlier != nil {
		return err
	}
	for i := range list {
		if err := os.Remove(s.partsPath(i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return r.write(s.app.Disk, s.Out)
}

// forget removes the parts of a run that failed, and folders that hold nothing else.
func (s *diagnosing) forget() {
	if s.Out == "" || s.earlier != nil {
		return
	}
	for _, name := range s.parts {
		_ = os.Remove(filepath.Join(s.Out, filepath.FromSlash(name)))
	}
	_ = folders.ListingOf(s.app, s.Out, s.Quiet).Drop(s.parts...)
	_ = os.Remove(filepath.Join(s.Out, folders.CheckpointDir)) // a folder that holds more stays
	_ = os.Remove(s.Out)
}

func (s *diagnosing) partsPath(i int) string {
	return filepath.Join(s.Out, folders.CheckpointDir, partsName(i))
}

func partsName(i int) string { return fmt.Sprintf("diagnosis-%d.jsonl", i+1) }

// A partsFile is a file with a line of JSON for each finished part of a diagnosis. It
// implements diagnose.Store.
type partsFile struct {
	mu     sync.Mutex
	file   *os.File
	every  time.Duration
	synced time.Time
	parts  map[string][]byte
	bad    int // line that is not what was written; 0 for none
}

// part is a line of a partsFile.
type part struct {
	Name  string          `json:"part"`
	Value json.RawMessage `json:"value"`
	CRC   string          `json:"crc32c"` // of both
}

func newPart(name string, value []byte) part {
	sum := crc32.Checksum([]byte(name+"\x00"+string(value)), crc32.MakeTable(crc32.Castagnoli))
	return part{name, value, fmt.Sprintf("%08x", sum)}
}

// openParts reads the parts that a file holds. A line that breaks off is cut away, and so is
// one that is not what was written, with all that follow.
func openParts(path string, every time.Duration) (*partsFile, error) {
	if err := (disk.Disk{}).Own(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	p := &partsFile{file: f, every: every, synced: time.Now()}
	var whole int64
	p.parts, whole, p.bad = readParts(f)
	_, err = f.Seek(whole, 0)
	if err = errors.Join(f.Truncate(whole), err); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return p, nil
}

// readParts reads parts up to a line that breaks off or is not what was written. They take the
// first bytes that whole says; bad is the number of a line that is not what was written, or 0.
func readParts(r io.Reader) (parts map[string][]byte, whole int64, bad int) {
	parts = map[string][]byte{}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return parts, whole, 0
		}
		var v part
		if json.Unmarshal(line, &v) != nil || newPart(v.Name, v.Value).CRC != v.CRC {
			return parts, whole, n
		}
		whole += int64(len(line))
		parts[v.Name] = v.Value
	}
}

// Part implements diagnose.Store.
func (p *partsFile) Part(name string) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.parts[name], nil
}

// partLine is the line of a part.
func partLine(name string, value []byte) ([]byte, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(newPart(name, compact.Bytes()))
	return append(bytes.TrimSpace(text), '\n'), err
}

// Keep implements diagnose.Store.
func (p *partsFile) Keep(name string, value []byte) error {
	text, err := partLine(name, value)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.file.Write(text); err != nil {
		return err
	}
	if time.Since(p.synced) < p.every {
		return nil
	}
	p.synced = time.Now()
	return p.file.Sync()
}

func (p *partsFile) close() error { return errors.Join(p.file.Sync(), p.file.Close()) }
