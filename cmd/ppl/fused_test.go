package main

// This file holds what makes a seed give the same bytes on every processor: no product is
// fused with the sum it goes into unless the source says math.FMA.

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fusedInstruction = regexp.MustCompile(`\bFN?M(ADD|SUB)[DS]\b`)
	// A half and a uniform number, which is an integer times a power of two, are exact: fused
	// or not, the sum is rounded once.
	halving = regexp.MustCompile(`/ ?(2|4|8)\b`)
	uniform = regexp.MustCompile(`\.Float64\(\)`)
)

// mayFuse reports whether a line may hold a fused instruction.
func mayFuse(line string) bool {
	return strings.Contains(line, "math.FMA") || uniform.MatchString(line) ||
		halving.MatchString(line) && !strings.Contains(line, "*")
}

// TestNothingIsFusedUnasked disassembles ppl for arm64, where the compiler fuses x*y + z; it
// does not where the product is written float64(x*y). What cmd shows is rounded anyway.
func TestNothingIsFusedUnasked(t *testing.T) {
	if os.Getenv("PPL_CROSS") == "" {
		t.Skip("FUSED PRODUCTS ARE NOT LOOKED FOR: this builds ppl for arm64, which takes a minute or more; .ci/run does it, or PPL_CROSS=1")
	}
	binary := filepath.Join(t.TempDir(), "ppl")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("fused products are not looked for, for ppl cannot be built for arm64 here: %v\n%s", err, out)
	}
	dump := exec.Command("go", "tool", "objdump", "-s", modulePath, binary)
	out, err := dump.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := dump.Start(); err != nil {
		t.Skipf("fused products are not looked for, for go tool objdump does not run here: %v", err)
	}
	s := readSources(t)
	told := map[string]bool{}
	function := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			function = rest
			continue
		}
		if !fusedInstruction.MatchString(line) || strings.HasPrefix(function, modulePath+"/cmd/") {
			continue
		}
		place := strings.Fields(line)[0]
		if where, text := s.find(function, place); where != "" && !mayFuse(text) && !told[where] {
			told[where] = true
			t.Errorf("%s: write float64(x*y) where a product is added: %s", where, strings.TrimSpace(text))
		}
	}
	if err := dump.Wait(); err != nil {
		t.Fatal(err)
	}
}

// sources are the lines of our files, by base name.
type sources map[string][]sourceText

type sourceText struct {
	path  string
	lines []string
}

func readSources(t *testing.T) sources {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := sources{}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && (path == filepath.Join(root, "examples") || path == filepath.Join(root, "cmd")) {
			return filepath.SkipDir // not linked into ppl, or not looked at
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all[d.Name()] = append(all[d.Name()], sourceText{path, strings.Split(string(text), "\n")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// find returns the line at a place in a function, both as objdump writes them. The place does not
// name its folder, which for an inlined function is not that of the function: the file beside the
// function comes first, if there is a sum in that line, and of others one that asks for fusing. Nothing is found if
// the line is not ours.
func (s sources) find(function, place string) (where, text string) {
	base, number, _ := strings.Cut(place, ":")
	line := 0
	for _, c := range number {
		line = 10*line + int(c-'0')
	}
	for _, f := range s[base] {
		if line > len(f.lines) {
			continue
		}
		line, _, _ := strings.Cut(f.lines[line-1], "//")
		asked := strings.Contains(line, "math.FMA")
		if !asked && !strings.ContainsAny(line, "+-") {
			continue
		}
		beside := strings.HasSuffix(function, " "+f.path)
		if where == "" || beside || asked {
			where, text = f.path+":"+number, line
		}
		if beside {
			break
		}
	}
	return where, text
}
