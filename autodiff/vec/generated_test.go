package vec

// This file holds the committed assembly against what the generator makes of the source.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: the generator is compiled and run, which takes seconds")
	}
	sources, err := filepath.Glob("gen/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no generator: %v", err)
	}
	dir := t.TempDir()
	cmd := exec.Command("go", append(append([]string{"run"}, sources...), "-o", dir)...)
	cmd.Env = append(os.Environ(), "GOFLAGS=") // with -trimpath the generator would not find the standard library
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"kernels_amd64.s", "linear_amd64.s", "kernels_amd64.go"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the source gives; go generate ./autodiff/vec writes it", name)
		}
	}
}
