package main

// This file cuts the power: it keeps what has been written out to the disk at each moment of a
// run, and wants the rest to be enough.

import (
	"bytes"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// A platter is what has been written out of the files below a folder: contents of files and
// names in folders, by their inodes.
type platter struct {
	t     *testing.T
	root  string
	files map[uint64][]byte
	names map[uint64]map[string]uint64
}

func inode(path string) (uint64, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	return info.Sys().(*syscall.Stat_t).Ino, true
}

// synced is the hook of a disk.
func (p *platter) synced(path string) {
	ino, ok := inode(path)
	if !ok {
		return
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		text, err := os.ReadFile(path)
		if err != nil {
			p.t.Error(err)
		}
		p.files[ino] = text
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		p.t.Error(err)
	}
	p.names[ino] = map[string]uint64{}
	for _, e := range entries {
		if of, ok := inode(filepath.Join(path, e.Name())); ok {
			p.names[ino][e.Name()] = of
		}
	}
}

// everything writes out all that there is.
func (p *platter) everything() {
	_ = filepath.WalkDir(p.root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			p.synced(path)
		}
		return err
	})
}

// strict lays out what is left if nothing else had reached the disk.
func (p *platter) strict(ino uint64, to string) {
	if text, ok := p.files[ino]; ok {
		if err := os.WriteFile(to, text, 0o666); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	names, isDir := p.names[ino]
	if !isDir { // a file without content, or a folder without names; by its name
		if strings.Contains(filepath.Base(to), ".") && filepath.Base(to)[0] != '.' {
			_ = os.WriteFile(to, nil, 0o666)
			return
		}
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		p.t.Fatal(err)
	}
	for name, of := range names {
		p.strict(of, filepath.Join(to, name))
	}
}

// lenient lays out what is left if all names had reached the disk, and of contents that had
// not been written out a random part.
func (p *platter) lenient(r *rand.Rand, to string) {
	err := filepath.WalkDir(p.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(p.root, path)
		at := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		ino, _ := inode(path)
		if known, ok := p.files[ino]; !ok || !bytes.Equal(known, text) {
			least := 0
			if ok && bytes.HasPrefix(text, known) { // what was appended since does not take it away
				least = len(known)
			}
			text = text[:least+r.IntN(len(text)-least+1)]
		}
		return os.WriteFile(at, text, 0o666)
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// TestPowerLoss cuts the power at moments of a run into an empty folder, and of one that
// replaces a fit. The fit that was there, or the new one, can be read, or it is said what is
// wrong; and resumed, the run has the files of one that was left alone.
func TestPowerLoss(t *testing.T) {
	base, err := os.MkdirTemp("/dev/shm", "ppl") // where numbers of inodes are not used twice
	if err != nil {
		t.Skip("NOT TESTED: a loss of power, for there is no /dev/shm here")
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	model := filepath.Join(base, "model.ppl")
	write(t, model, "parameters { vector[2] x; }\nmodel { x ~ normal(0, 1); }\n")
	ppl := func(d disk.Disk, args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		a := frame.NewApp(strings.NewReader(""), io.MultiWriter(&stdout, io.Discard), &stderr)
		a.Disk, a.CheckpointEvery = d, time.Millisecond
		return executeWith(a, args), stdout.String() + stderr.String()
	}
	run := func(d disk.Disk, dir, seed string, more ...string) (int, string) {
		return ppl(d, append([]string{"run", model, "--seed", seed, "--chains", "2", "--warmup", "50", "--draws", "100", "--jobs", "1", "--quiet", "--out", dir}, more...)...)
	}
	files := func(dir string) map[string]string {
		out := fitFiles(t, dir)
		for name := range out {
			if strings.HasPrefix(name, manifest.Unfinished) || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".new") {
				delete(out, name)
			}
		}
		return out
	}
	want := map[string]map[string]string{}
	for _, seed := range []string{"1", "2"} {
		dir := filepath.Join(base, "whole-"+seed)
		if code, text := run(disk.Disk{}, dir, seed); code != 0 {
			t.Fatal(text)
		}
		want[seed] = files(dir)
	}
	for _, replaces := range []bool{false, true} {
		root := filepath.Join(base, "work", map[bool]string{true: "replaced", false: "fresh"}[replaces])
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		fit := filepath.Join(root, "fit")
		if replaces {
			if code, text := run(disk.Disk{}, fit, "1"); code != 0 {
				t.Fatal(text)
			}
		}
		p := &platter{t: t, root: root, files: map[uint64][]byte{}, names: map[uint64]map[string]uint64{}}
		p.everything()
		var images []string
		r := rand.New(rand.NewPCG(7, 8))
		moments := 0
		hook := func(path string) {
			moments++
			defer p.synced(path)
			if moments%subset.Of(20, 5) != 0 && !manifest.Halfway(fit) { // the replacement at each moment, the rest now and then
				return
			}
			image := filepath.Join(base, "images", filepath.Base(root), time.Now().Format("150405.000000000"))
			if err := os.MkdirAll(image, 0o755); err != nil {
				t.Fatal(err)
			}
			ino, _ := inode(root)
			p.strict(ino, filepath.Join(image, "strict"))
			p.lenient(r, filepath.Join(image, "lenient"))
			images = append(images, filepath.Join(image, "strict"), filepath.Join(image, "lenient"))
		}
		if code, text := run(disk.Disk{Synced: hook}, fit, "2"); code != 0 {
			t.Fatal(text)
		}
		t.Logf("%s: %d moments, %d images of the disk", filepath.Base(root), moments, len(images))
		for _, image := range images {
			dir := filepath.Join(image, "fit")
			code, text := ppl(disk.Disk{}, "summary", dir)
			if strings.Contains(text, "internal error") || replaces && code != 0 {
				t.Fatalf("%s: summary: exit code %d\n%s", image, code, text)
			}
			if code == 0 && replaces {
				if got := files(dir); !cmp.Equal(got, want["1"]) && !cmp.Equal(got, want["2"]) {
					t.Fatalf("%s: neither the old fit nor the new one\n%s", image, cmp.Diff(want["2"], got))
				}
			}
			if code, text := run(disk.Disk{}, dir, "2", "--resume"); code != 0 {
				if !replaces || !strings.Contains(text, "another seed") { // there is the old fit, which is another run
					t.Fatalf("%s: resumed: exit code %d\n%s", image, code, text)
				}
				continue
			}
			if diff := cmp.Diff(want["2"], files(dir)); diff != "" {
				t.Fatalf("%s: resumed, it is not what it would have been:\n%.2000s", image, diff)
			}
		}
	}
}
