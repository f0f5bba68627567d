// Command release makes the files of a release: archives for ten systems, packages that carry the
// command to those who have no Go, checksums, licences and a list of what is inside. The same commit
// gives the same bytes. See README.md.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A system is what the command is built for. The names of others for it are empty where there is no such
// package.
type system struct {
	os, arch string
	debian   string // architecture of Debian
	wheel    string // platform tag of Python
	node     string // os and cpu of npm
}

var systems = []system{
	{"linux", "amd64", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux-x64"},
	{"linux", "arm64", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux-arm64"},
	{"linux", "386", "i386", "manylinux_2_17_i686.manylinux2014_i686.musllinux_1_1_i686", ""},
	{"linux", "riscv64", "riscv64", "manylinux_2_39_riscv64", "linux-riscv64"},
	{"linux", "s390x", "s390x", "manylinux_2_17_s390x.manylinux2014_s390x", "linux-s390x"},
	{"darwin", "amd64", "", "macosx_12_0_x86_64", "darwin-x64"},
	{"darwin", "arm64", "", "macosx_12_0_arm64", "darwin-arm64"},
	{"windows", "amd64", "", "win_amd64", "win32-x64"},
	{"windows", "arm64", "", "win_arm64", "win32-arm64"},
	{"freebsd", "amd64", "", "", "freebsd-x64"},
}

func (s system) String() string { return s.os + "-" + s.arch }

// program is the name of the command's file.
func (s system) program() string {
	if s.os == "windows" {
		return "ppl.exe"
	}
	return "ppl"
}

// A release is what all files share.
type release struct {
	out, version string
	when         time.Time // of the commit: the time of all files inside
	licences     []byte    // of all modules
	modules      []module
	sums         map[string]string // SHA-256 by file
}

// A file is one of an archive.
type file struct {
	name string
	mode int64
	data []byte
}

func main() {
	out := flag.String("out", "dist", "folder for the files")
	only := flag.String("only", "", "systems to build for, such as linux-amd64, separated by commas; all without it")
	twice := flag.Bool("twice", false, "build everything twice and compare")
	flag.Parse()
	if err := run(*out, *only, *twice); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out, only string, twice bool) error {
	chosen := systems
	if only != "" {
		names := strings.Split(only, ",")
		chosen = slices.DeleteFunc(slices.Clone(systems), func(s system) bool { return !slices.Contains(names, s.String()) })
		if len(chosen) != len(names) {
			return fmt.Errorf("-only %s: the systems are %v", only, systems)
		}
	}
	first, err := build(out, chosen)
	if err != nil || !twice {
		return err
	}
	again, err := build(out+".again", chosen)
	if err != nil {
		return err
	}
	for name, sum := range first.sums {
		if again.sums[name] != sum {
			return fmt.Errorf("%s is not the same the second time", name)
		}
	}
	fmt.Println("built twice: the same checksums")
	return os.RemoveAll(out + ".again")
}

// build makes all files in a folder, which must not be there.
func build(out string, chosen []system) (*release, error) {
	if err := os.Mkdir(out, 0o777); err != nil {
		return nil, err
	}
	r := &release{out: out, sums: map[string]string{}}
	seconds, err := output(nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	r.when = time.Unix(unix, 0).UTC()
	for _, s := range chosen {
		binary, err := r.compile(s)
		if err != nil {
			return nil, err
		}
		if err := r.packages(s, binary); err != nil {
			return nil, err
		}
	}
	if err := r.manifests(chosen); err != nil {
		return nil, err
	}
	return r, r.checksums()
}

// output runs a program and returns what it prints.
func output(environment []string, name string, arguments ...string) (string, error) {
	c := exec.Command(name, arguments...)
	c.Env = append(os.Environ(), environment...)
	text, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", c, err, failed.Stderr)
	}
	return strings.TrimSpace(string(text)), err
}

// compile builds the command for a system, without C, paths and symbols.
func (r *release) compile(s system) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, s.program())
	if _, err := output([]string{"CGO_ENABLED=0", "GOOS=" + s.os, "GOARCH=" + s.arch}, "go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/ppl"); err != nil {
		return nil, err
	}
	if r.modules == nil {
		if err := r.inspect(path); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(path)
}

// write puts a file of the release into its folder.
func (r *release) write(name string, data []byte) error {
	r.sums[name] = fmt.Sprintf("%x", sha256.Sum256(data))
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
	var names []string
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), b.Bytes(), 0o666)
}
