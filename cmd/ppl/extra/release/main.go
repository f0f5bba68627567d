// Command release makes the files of a release of the commit that is checked out. See README.md.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A system is what the command is built for. The names of others for it are empty where there is no such
// package.
type system struct {
	os, arch string
	packaged bool   // by Debian and Red Hat
	wheel    string // platform tags of Python
	node     string // os and cpu of npm
}

var systems = []system{
	{"linux", "amd64", true, "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux-x64"},
	{"linux", "arm64", true, "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux-arm64"},
	{"linux", "386", true, "manylinux_2_17_i686.manylinux2014_i686.musllinux_1_1_i686", ""},
	{"linux", "riscv64", true, "manylinux_2_39_riscv64", "linux-riscv64"},
	{"linux", "s390x", true, "manylinux_2_17_s390x.manylinux2014_s390x", "linux-s390x"},
	{"darwin", "amd64", false, "macosx_12_0_x86_64", "darwin-x64"},
	{"darwin", "arm64", false, "macosx_12_0_arm64", "darwin-arm64"},
	{"windows", "amd64", false, "win_amd64", "win32-x64"},
	{"windows", "arm64", false, "win_arm64", "win32-arm64"},
	{"freebsd", "amd64", false, "", "freebsd-x64"},
}

func (s system) String() string { return s.os + "-" + s.arch }

// program is the name of the command's file.
func (s system) program() string {
	if s.os == "windows" {
		return "ppl.exe"
	}
	return "ppl"
}

// commandLine is a line of the help that names a command.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) +\S`)

// A release is what all files share.
type release struct {
	source, out string // folders: a clone, and where the files go
	commit      string
	version     string
	when        time.Time // of the commit: the time of all files inside
	common      []file    // that stand beside the command: licences, manual, completions
	modules     []module
	nfpm        string            // the program; empty: no packages of Debian and Red Hat
	sums        map[string]string // SHA-256 by file
	sizes       map[string]int
}

// A file is one of an archive.
type file struct {
	name string
	mode int64
	data []byte
}

func main() {
	out := flag.String("out", "dist", "folder for the files, which must not be there")
	only := flag.String("only", "", "systems to build for, such as linux-amd64, separated by commas; all without it")
	twice := flag.Bool("twice", false, "build everything a second time, in another folder, and compare")
	cold := flag.Bool("cold", false, "with -twice: the second time without Go's build cache")
	packed := flag.Bool("packages", true, "make packages of Debian and Red Hat, for which nfpm is taken from Go's module cache or proxy")
	page := flag.String("page", "", "file whose table of sizes is written anew")
	flag.Parse()
	if err := run(*out, *only, *twice, *cold, *packed, *page); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out, only string, twice, cold, packed bool, page string) error {
	chosen := systems
	if only != "" {
		names := strings.Split(only, ",")
		chosen = slices.DeleteFunc(slices.Clone(systems), func(s system) bool { return !slices.Contains(names, s.String()) })
		if len(chosen) != len(names) {
			return fmt.Errorf("-only %s: the systems are %v", only, systems)
		}
	}
	tools, err := os.MkdirTemp("", "tools")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tools) }()
	nfpm := ""
	if packed {
		if nfpm, err = installNFPM(tools); err != nil {
			return err
		}
	}
	commit, err := output("", nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	r, err := build(out, commit, nfpm, chosen)
	if err == nil && twice {
		err = r.again(chosen, cold)
	}
	if err != nil || page == "" {
		return err
	}
	return r.list(page)
}

// again builds what was built once more, as another machine would, and compares.
func (r *release) again(chosen []system, cold bool) error {
	dir, err := os.MkdirTemp("", "a second, longer name")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if cold {
		if err := os.Setenv("GOCACHE", filepath.Join(dir, "cache")); err != nil {
			return err
		}
	}
	second, err := build(filepath.Join(dir, "dist"), r.commit, r.nfpm, chosen)
	if err != nil {
		return err
	}
	for name, sum := range r.sums {
		if second.sums[name] != sum {
			return fmt.Errorf("%s is not the same the second time", name)
		}
	}
	fmt.Printf("built twice: the same checksums of %d files\n", len(r.sums))
	return nil
}

// build makes all files. They are of a commit: the source is a clone, so that nothing else of the folder
// gets in.
func build(out, commit, nfpm string, chosen []system) (*release, error) {
	if err := os.Mkdir(out, 0o777); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := &release{source: filepath.Join(dir, "source"), out: out, commit: commit, nfpm: nfpm, sums: map[string]string{}, sizes: map[string]int{}}
	if err := r.clone(); err != nil {
		return nil, err
	}
	if err := r.inspect(filepath.Join(dir, "here")); err != nil {
		return nil, err
	}
	for _, s := range chosen {
		path := filepath.Join(dir, s.String(), s.program())
		if err := r.compile(s, path); err != nil {
			return nil, err
		}
		if err := r.packages(s, path); err != nil {
			return nil, err
		}
	}
	if err := r.manifests(chosen); err != nil {
		return nil, err
	}
	return r, r.checksums()
}

// clone copies the commit.
func (r *release) clone() error {
	if _, err := output("", nil, "git", "clone", "--quiet", "--no-checkout", ".", r.source); err != nil {
		return err
	}
	if _, err := output(r.source, nil, "git", "checkout", "--quiet", "--detach", r.commit); err != nil {
		return err
	}
	seconds, err := output(r.source, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	r.when = time.Unix(unix, 0).UTC()
	return err
}

// output runs a program in a folder and returns what it prints, without white space at the ends.
func output(dir string, environment []string, name string, arguments ...string) (string, error) {
	c := exec.Command(name, arguments...)
	c.Dir, c.Env = dir, append(os.Environ(), environment...)
	text, err := c.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s: %w: %s", c, err, failed.Stderr)
	}
	return strings.TrimSpace(string(text)), err
}

// compile builds the command for a system, without C, paths and symbols; the commit is stamped.
func (r *release) compile(s system, path string) error {
	_, err := output(r.source, []string{"CGO_ENABLED=0", "GOOS=" + s.os, "GOARCH=" + s.arch}, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/ppl")
	return err
}

// inspect builds the command for this machine and has it write what stands beside it in packages.
func (r *release) inspect(dir string) error {
	path := filepath.Join(dir, "ppl")
	if err := r.compile(system{os: runtime.GOOS, arch: runtime.GOARCH}, path); err != nil {
		return err
	}
	text, err := output("", nil, path, "version")
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(text, "\n")
	r.version = strings.TrimPrefix(first, "ppl ")
	if err := r.linked(path); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md"} {
		text, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		r.common = append(r.common, file{name, 0o644, text})
	}
	written := map[string][]string{
		"THIRD-PARTY-LICENCES": {"version", "--licences"},
		"completions/ppl.bash": {"completion", "bash"},
		"completions/ppl.fish": {"completion", "fish"},
		"completions/_ppl":     {"completion", "zsh"},
		"man/ppl.1":            {"help", "--man"},
	}
	help, err := output("", nil, path, "help")
	if err != nil {
		return err
	}
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	for _, m := range commandLine.FindAllStringSubmatch(list, -1) {
		written["man/ppl-"+m[1]+".1"] = []string{"help", "--man", m[1]}
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		text, err := output("", nil, path, written[name]...)
		if err != nil {
			return err
		}
		r.common = append(r.common, file{name, 0o644, []byte(text + "\n")})
	}
	return nil
}

// write puts a file of the release into its folder.
func (r *release) write(name string, data []byte) error {
	r.sums[name], r.sizes[name] = fmt.Sprintf("%x", sha256.Sum256(data)), len(data)
	fmt.Printf("%10d  %s\n", len(data), name)
	path := filepath.Join(r.out, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// checksums writes SHA256SUMS, which sha256sum -c reads.
func (r *release) checksums() error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&b, "%s  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), b.Bytes(), 0o666)
}
