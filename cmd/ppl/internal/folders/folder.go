// Package folders keeps fits on disk: the folder while a fit is written, the list of its files, and how commands open and name it again.
package folders

// This file keeps the folder of a fit: it takes the place over, puts a new fit in the place of
// an old one, and holds what it takes to resume a run.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/journal"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// CheckpointDir is the folder of journals and recipe in a fit's folder.
const CheckpointDir = "checkpoint"

// RecipeFile is the name of the recipe in checkpointDir, recipePath its path in the folder.
const (
	RecipeFile = "recipe.json"
	RecipePath = CheckpointDir + "/" + RecipeFile
)

// OverwriteFlag allows what is refused otherwise.
type OverwriteFlag struct {
	Overwrite bool `help:"Let --out DIR lose a complete fit even to one that is not complete, because the run is interrupted or reaches its time limit. Files that no run wrote are kept in any case."`
}

// A Folder is a fit's folder while it is written. Where there is a fit already, the new one is
// written into a folder inside, and replaces it in the end.
type Folder struct {
	path    string
	Work    string             // where the run writes: path, or a folder in it
	disk    disk.Disk          //
	say     func(string)       // for remarks
	made    string             // topmost folder that was made for it; empty for none
	old     *manifest.Manifest // of the fit to be replaced; nil for none
	list    *manifest.Manifest // of the run
	resumed bool               // it holds a run that goes on
	kept    bool               // it stays as it is
	unlock  func()             // nil while it is not locked
}

// A Place says what a folder is wanted for.
type Place struct {
	Out    string
	Resume bool
	Fits   []string // names of several fits; nil for one
}

// OpenFolder is newFolder for a command: end gives the folder up when the command does, and adds its own error to the
// command's. Where place names no folder there is none.
func OpenFolder(a *frame.App, p Place, quiet bool) (f *Folder, end func(*error), err error) {
	if p.Out == "" {
		return nil, func(*error) {}, nil
	}
	if f, err = newFolder(p, a.Disk, a.Remarks(quiet)); err != nil {
		return nil, nil, err
	}
	return f, func(err *error) { *err = errors.Join(*err, f.discard()) }, nil
}

// newFolder takes a place over. It must be free, or hold what earlier commands wrote, which
// a fit replaces in the end; or with resume a run to go on with, where there is one.
func newFolder(p Place, d disk.Disk, say func(string)) (*Folder, error) {
	f := &Folder{path: filepath.Clean(p.Out), disk: d, say: say}
	f.Work = f.path
	if err := replaceable(f.path); err != nil {
		return nil, err
	}
	err := f.open(p)
	if err == nil {
		return f, nil
	}
	err = errors.Join(err, f.discard())
	if _, ok := errors.AsType[*frame.Exit](err); ok {
		return nil, err
	}
	e := &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--out %s: %w", p.Out, frame.PlainPath(err)), Help: "choose a folder that can be made, and written to"}
	var at *fs.PathError
	if errors.As(err, &at) && at.Path == f.path {
		e.Err = fmt.Errorf("--out %s: %w", p.Out, at.Err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		e.Code, e.Help = frame.ExitFailed, ""
	}
	return nil, e
}

// open makes the folder, and the list of the run's files in it.
func (f *Folder) open(p Place) error {
	f.made = firstMissing(f.path)
	if err := f.disk.MkdirAll(f.path); err != nil {
		return err
	}
	var err error
	if f.unlock, err = system.Lock(f.path); err != nil {
		f.Keep() // it is somebody else's
		return err
	}
	aside, err := manifest.Recover(f.disk, f.path)
	f.putAside(aside)
	if err != nil {
		return err
	}
	if p.Resume {
		if f.Work, f.resumed = UnfinishedRun(f.path); f.resumed {
			return f.goOn()
		}
	}
	f.list = manifest.Begin(nil, p.Fits)
	f.old, err = manifest.Read(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.old = nil
	case err != nil:
		return err
	default:
		if err := f.stage(); err != nil {
			return err
		}
	}
	if err := f.list.Write(f.disk, f.Work); err != nil {
		return err
	}
	return f.disk.MkdirAll(filepath.Join(f.Work, CheckpointDir))
}

// stage makes the folder of a run that is to replace a fit. An unfinished run that stands
// there goes.
func (f *Folder) stage() error {
	f.Work = filepath.Join(f.path, manifest.Unfinished)
	switch left, err := manifest.Read(f.Work); {
	case err == nil:
		if err := left.Remove(f.Work); err != nil {
			return err
		}
		f.say(fmt.Sprintf("an unfinished run in %s gives way to this one", f.Work))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	manifest.RemoveEmpty(f.Work) // of a run that was killed before it had written its list
	if _, err := os.Lstat(f.Work); err == nil {
		aside, err := manifest.PutAside(f.disk, f.Work)
		if err != nil {
			return err
		}
		f.putAside([]string{aside})
	}
	return f.disk.MkdirAll(f.Work)
}

// goOn opens the list of the run to go on with. Its checkpoints must be what they were; other
// files are written anew, and what is no longer what the run wrote is put aside.
func (f *Folder) goOn() error {
	var err error
	if f.list, err = manifest.Read(f.Work); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s has no %s, so it is not known which of its files are the run's", f.Work, manifest.Name)
		}
		return err
	}
	damaged := f.list.Check(f.Work, func(path string) bool { return f.list.Claims(path) && strings.Contains(path, CheckpointDir+"/") })
	if len(damaged) > 0 {
		return &frame.Exit{
			Code: frame.ExitFailed, Err: fmt.Errorf("--resume: %s: %w", f.Work, damaged[0]),
			Help: "the run cannot go on from what is not as it was written; ppl verify " + f.Work + " lists all such files, and without --resume the run starts anew",
		}
	}
	aside, err := f.list.ClearWay(f.disk, f.Work)
	f.putAside(aside)
	if err != nil {
		return err
	}
	if err := f.own(); err != nil {
		return err
	}
	f.list = manifest.Begin(f.list, f.list.Fits)
	return f.list.Write(f.disk, f.Work)
}

// own makes the run's files its own that have further names, as in a backup by hard links: a run that goes on writes into them.
func (f *Folder) own() error {
	return filepath.WalkDir(f.Work, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if name, err := filepath.Rel(f.Work, path); err != nil || !f.list.Claims(filepath.ToSlash(name)) {
			return err
		}
		return f.disk.Own(path)
	})
}

// putAside reports what was renamed.
func (f *Folder) putAside(paths []string) {
	for _, path := range paths {
		f.say(fmt.Sprintf("warning: %s was not as a run had written it; it is kept as %s", strings.TrimRight(path, "~0123456789"), path))
	}
}

// UnfinishedRun finds the run to go on with in a folder: the one that is to replace the fit
// there, or else that of the fit itself.
func UnfinishedRun(dir string) (string, bool) {
	for _, at := range []string{filepath.Join(dir, manifest.Unfinished), dir} {
		if _, err := os.Stat(filepath.Join(at, CheckpointDir, RecipeFile)); err == nil {
			return at, true
		}
	}
	return dir, false
}

// firstMissing is the topmost folder of a path that does not exist yet; empty if all do.
func firstMissing(path string) string {
	missing := ""
	for {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing, path = path, filepath.Dir(path)
	}
}

// Sub makes the folder of one of several fits.
func (f *Folder) Sub(name string) (string, error) {
	dir := filepath.Join(f.Work, name)
	return dir, f.disk.MkdirAll(dir)
}

// Watch joins what is to see a run with the journal of the fit in dir.
func (f *Folder) Watch(dir string, every time.Duration, o infer.Observer) (infer.Observer, error) {
	checkpoints := filepath.Join(dir, CheckpointDir)
	if err := f.disk.MkdirAll(checkpoints); err != nil {
		return nil, err
	}
	return infer.WithJournal(o, journal.New(f.disk, checkpoints, every)), nil
}

// Take lists a file of the run that will not change any more.
func (f *Folder) Take(path string) error {
	if err := f.list.Take(f.disk, f.Work, path); err != nil {
		return err
	}
	return f.list.Write(f.disk, f.Work)
}

// Begun reports whether the run has a checkpoint to go on from.
func (f *Folder) Begun() bool {
	for _, pattern := range []string{CheckpointDir + "/chain-*.state", "*/" + CheckpointDir + "/chain-*.state"} {
		if found, _ := fs.Glob(os.DirFS(f.Work), pattern); len(found) > 0 {
			return true
		}
	}
	return false
}

// Keep lets what the run has written stay, finished or not.
func (f *Folder) Keep() { f.kept = true }

// Commit keeps the fit, and puts it in the place of the one that it replaces. A complete fit
// gives way to an incomplete one only with overwrite: else the new one waits to be resumed,
// and replaced is false.
func (f *Folder) Commit(s manifest.State, overwrite bool) (replaced bool, err error) {
	f.Keep()
	if err := f.list.Seal(f.disk, f.Work, s); err != nil {
		return false, err
	}
	if f.Work == f.path {
		return true, nil
	}
	old, err := manifest.Read(f.path) // other commands may have added to it
	if err != nil {
		return false, err
	}
	if old.State == manifest.Complete && s != manifest.Complete && !overwrite {
		return false, nil
	}
	f.say("replaced: " + f.describe(old))
	aside, err := manifest.Supersede(f.disk, f.path)
	f.putAside(aside)
	return true, err
}

// describe is a fit in words.
func (f *Folder) describe(m *manifest.Manifest) string {
	what := map[manifest.State]string{manifest.Complete: "the complete fit", manifest.Incomplete: "the incomplete fit", manifest.Open: "the fit of a run that had not ended"}[m.State]
	what = cmp.Or(what, "what earlier commands wrote") + " in " + f.path
	run, err := draws.ReadRun(f.path)
	if err != nil && len(m.Fits) > 0 {
		run, err = draws.ReadRun(filepath.Join(f.path, m.Fits[0]))
	}
	if err == nil {
		what += fmt.Sprintf(" (%s, seed %d, of %s)", run.Name, run.Seed, run.Started.Format("2006-01-02 15:04"))
	}
	return what
}

// Finish is commit of a complete fit that there is nothing to resume in.
func (f *Folder) Finish() error {
	_ = os.Remove(filepath.Join(f.Work, CheckpointDir)) // it is empty
	_, err := f.Commit(manifest.Complete, false)
	return err
}

// discard removes what the run wrote, unless that stays, and ends the use of the folder.
func (f *Folder) discard() error {
	err := f.clear()
	if f.unlock != nil {
		f.unlock() // before unmake: where folders have no locks of their own, it is a file in this one
	}
	if f.kept || f.resumed {
		return err
	}
	return errors.Join(err, f.unmake())
}

// clear removes what the run wrote, unless that stays.
func (f *Folder) clear() error {
	if f.kept || f.resumed {
		return nil
	}
	var err error
	if _, gone := os.Stat(f.Work); f.list != nil && gone == nil {
		err = f.list.Remove(f.Work)
		_ = os.Remove(filepath.Join(f.Work, CheckpointDir))
	}
	if f.Work != f.path {
		_ = os.Remove(f.Work)
	}
	return err
}

// unmake removes the folder and those above it that were made for it, as far as they
// hold nothing else.
func (f *Folder) unmake() error {
	if f.made == "" {
		return nil
	}
	for dir := f.path; ; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil || dir == f.made {
			return nil // somebody else has come to use it, or it is the topmost
		}
	}
}

// replaceable refuses places that hold something else than what commands have listed.
func replaceable(path string) error {
	if err := NotReserved(path); err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission):
		return frame.Wrongf("--out %s: %w", path, frame.PlainPath(err))
	case err != nil:
		return frame.Wrongf("--out %s: this is no folder that can be written to", path)
	case len(entries) == 0 || manifest.Halfway(path):
		return nil
	}
	m, err := manifest.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && OnlyTemporary(entries):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return frame.Wrongf("--out %s: the folder holds other files than a fit's; choose another", path)
	case err != nil:
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--out %s: %w", path, err), Help: "which of the files may be replaced is therefore not known; choose another folder"}
	case m.State == manifest.None:
		return frame.Wrongf("--out %s: the folder holds no fit, but pictures, verdicts or a page; choose another", path)
	}
	return nil
}

// NotReserved refuses the folders in a fit's folder that runs make and remove.
func NotReserved(path string) error {
	if manifest.Reserved(path) {
		return frame.Wrongf("--out %s: a run would remove a folder of this name in a fit's; choose another", path)
	}
	return nil
}

// OnlyTemporary reports whether a folder holds nothing but a list that was not yet
// written when the program ended.
func OnlyTemporary(entries []fs.DirEntry) bool {
	return len(entries) == 1 && entries[0].Name() == manifest.Name+".new"
}

// WriteFailure is the first file that could not be written, if that is what err says.
func WriteFailure(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return frame.PlainPath(p)
	case errors.As(err, &l):
		return fmt.Errorf("%s: %w", l.New, l.Err)
	}
	return nil
}
