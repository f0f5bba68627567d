package manifest_test

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// put writes files, by path.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tree are all files below a folder but the list, by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == manifest.Name {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fit writes a fit into a folder that is then sealed.
func fit(t *testing.T, dir string, s manifest.State, files map[string]string) *manifest.Manifest {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	m := manifest.Begin(nil, nil)
	if err := m.Write(disk.Disk{}, dir); err != nil {
		t.Fatal(err)
	}
	put(t, dir, files)
	if err := m.Seal(disk.Disk{}, dir, s); err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	oldFit = map[string]string{"chain-1.csv": "# c\nlp__,x\n1,2\n3,4\n", "chain-2.csv": "lp__,x\n1,5\n", "run.json": "{}", "checkpoint/chain-1.rows": "rows", "checkpoint/recipe.json": "r"}
	newFit = map[string]string{"chain-1.csv": "lp__,x\n7,8\n", "run.json": "{1}", "checkpoint/chain-1.rows": "rows", "draws.zarr/x/0": "0"}
	others = map[string]string{"notes.txt": "n", "paper/main.tex": "p", "checkpoint/mine": "m", "chain-x.csv": "x"}
)

func all(string) bool { return true }

func TestFaults(t *testing.T) {
	dir := t.TempDir()
	m := fit(t, dir, manifest.Complete, oldFit)
	if f := m.Check(dir, all); len(f) > 0 {
		t.Fatal(f[0])
	}
	for _, c := range []struct {
		name, text string
		kind, want string
	}{
		{"chain-1.csv", "# c\nlp__,x\n1,2\n3,", "cut", "2 rows in 19 bytes, and has 2 rows in 17 bytes"},
		{"chain-1.csv", "# c\nlp__,x\n1,2\n3,9\n", "changed", "the checksum was"},
		{"chain-2.csv", "lp__,x\n1,5\n1,6\n", "longer", "1 rows in 11 bytes, and has 2 rows in 15 bytes"},
		{"checkpoint/chain-1.rows", "row", "cut", "4 bytes, and has 3 bytes"},
	} {
		put(t, dir, map[string]string{c.name: c.text})
		if f := m.Check(dir, all); len(f) != 1 || f[0].Path != c.name || f[0].Kind != c.kind || !strings.Contains(f[0].Detail, c.want) {
			t.Errorf("%s: %v", c.name, f)
		}
		put(t, dir, oldFit)
	}
	if err := os.Remove(filepath.Join(dir, "run.json")); err != nil {
		t.Fatal(err)
	}
	if f := m.Check(dir, all); len(f) != 1 || f[0].Kind != "missing" {
		t.Error(f)
	}
}

// TestFlippedBits: no change of a bit of the list passes, nor a cut.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	fit(t, dir, manifest.Complete, oldFit)
	at := filepath.Join(dir, manifest.Name)
	whole, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	var damaged *manifest.DamagedError
	for i := 0; i < 8*len(whole); i += 13 { // each of the eight bits of bytes in turn
		text := slices.Clone(whole)
		text[i/8] ^= 1 << (i % 8)
		put(t, dir, map[string]string{manifest.Name: string(text)})
		if m, err := manifest.Read(dir); !errors.As(err, &damaged) {
			t.Fatalf("bit %d of %q: %v, %v", i, text, m, err)
		}
	}
	for n := 0; n < len(whole); n += 11 {
		put(t, dir, map[string]string{manifest.Name: string(whole[:n])})
		if m, err := manifest.Read(dir); !errors.As(err, &damaged) {
			t.Fatalf("%d bytes: %v, %v", n, m, err)
		}
	}
}

// TestPathsThatLeadOut: a list that was made to remove files elsewhere does nothing.
func TestPathsThatLeadOut(t *testing.T) {
	for _, path := range []string{"../victim", "/etc/passwd", "a/../../victim", ".", "", "a//b"} {
		dir := t.TempDir()
		m := &manifest.Manifest{State: manifest.Complete, Files: []manifest.File{{Path: path}}}
		if err := m.Write(disk.Disk{}, dir); err != nil {
			t.Fatal(err)
		}
		if _, err := manifest.Read(dir); err == nil {
			t.Errorf("%q is taken", path)
		}
	}
	dir := t.TempDir()
	put(t, dir, map[string]string{"victim/chain-1.rows": "rows"})
	m := fit(t, filepath.Join(dir, "fit"), manifest.Complete, oldFit)
	if err := os.RemoveAll(filepath.Join(dir, "fit", "checkpoint")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../victim", filepath.Join(dir, "fit", "checkpoint")); err != nil {
		t.Skip("there are no links here")
	}
	_ = m.Remove(filepath.Join(dir, "fit"))
	if got := tree(t, dir)["victim/chain-1.rows"]; got != "rows" {
		t.Error("a file was removed through a link")
	}
}

func TestRemoveKeepsWhatIsNotListed(t *testing.T) {
	dir := t.TempDir()
	m := fit(t, dir, manifest.Complete, oldFit)
	put(t, dir, others)
	put(t, dir, map[string]string{"chain-2.csv": "edited"})
	if err := m.Remove(dir); err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(others)
	want["chain-2.csv"] = "edited"
	if got := tree(t, dir); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// errCut is the panic of a program that is cut off.
var errCut = errors.New("cut off")

// TestSupersede cuts the replacement off after each write to the disk, at every step, and
// wants it to be completed later, with all files of others.
func TestSupersede(t *testing.T) {
	for steps := 0; ; steps++ {
		dir := t.TempDir()
		fit(t, dir, manifest.Complete, oldFit)
		put(t, dir, others)
		fit(t, filepath.Join(dir, manifest.Unfinished), manifest.Complete, newFit)
		left := steps
		cut := func() (done bool) {
			defer func() { done = recover() == nil }()
			d := disk.Disk{Synced: func(string) {
				if left--; left < 0 {
					panic(errCut)
				}
			}}
			if _, err := manifest.Supersede(d, dir); err != nil {
				t.Fatal(err)
			}
			return true
		}()
		if m, err := manifest.Read(dir); err == nil && !manifest.Halfway(dir) && len(m.Check(dir, all)) > 0 {
			t.Fatalf("after %d steps the fit is neither whole nor known not to be", steps)
		}
		if _, err := os.Stat(filepath.Join(dir, manifest.Unfinished)); err == nil { // not yet begun
			if _, err := manifest.Supersede(disk.Disk{}, dir); err != nil {
				t.Fatal(err)
			}
		}
		if aside, err := manifest.Recover(disk.Disk{}, dir); err != nil || len(aside) > 0 {
			t.Fatal(aside, err)
		}
		want := maps.Clone(others)
		maps.Copy(want, newFit)
		if got := tree(t, dir); !maps.Equal(got, want) {
			t.Fatalf("after %d steps: %v", steps, got)
		}
		if m, err := manifest.Read(dir); err != nil || len(m.Check(dir, all)) > 0 || m.State != manifest.Complete {
			t.Fatal(m, err)
		}
		if cut {
			t.Logf("%d steps", steps)
			return
		}
	}
}

// TestInTheWay: what stands where new files go and is not the old fit's is kept.
func TestInTheWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		dir := t.TempDir()
		fit(t, dir, manifest.Complete, oldFit)
		mine := map[string]string{}
		for name := range newFit {
			if r.IntN(2) == 0 {
				mine[name] = "mine: " + name
			}
		}
		put(t, dir, mine)
		fit(t, filepath.Join(dir, manifest.Unfinished), manifest.Complete, newFit)
		aside, err := manifest.Supersede(disk.Disk{}, dir)
		if err != nil || len(aside) != len(mine) {
			t.Fatal(aside, err)
		}
		got := tree(t, dir)
		for name, text := range mine {
			if got[name+"~"] != text {
				t.Errorf("%s is lost", name)
			}
		}
		for name, text := range newFit {
			if got[name] != text {
				t.Errorf("%s is not the new one", name)
			}
		}
	}
}

// TestSupersedeByLink: the folder may be named by a link, which stays one.
func TestSupersedeByLink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err) // Windows may forbid it
	}
	fit(t, dir, manifest.Complete, oldFit)
	fit(t, filepath.Join(dir, manifest.Unfinished), manifest.Complete, newFit)
	if aside, err := manifest.Supersede(disk.Disk{}, link); err != nil || len(aside) > 0 {
		t.Fatal(aside, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", info, err)
	}
	if got := tree(t, dir); !maps.Equal(got, newFit) {
		t.Errorf("found %v", got)
	}
}
