// Programs on a system that refuses executable memory.

package autodiff

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// refusing is set in a process that has forbidden itself to gain executable memory.
const refusing = "PPL_TEST_REFUSING"

func TestExecutableMemoryRefused(t *testing.T) {
	if os.Getenv(refusing) == "" {
		again := exec.Command(os.Args[0], "-test.run=^TestExecutableMemoryRefused$", "-test.v")
		again.Env = append(os.Environ(), refusing+"=1")
		out, err := again.CombinedOutput()
		switch {
		case err != nil:
			t.Errorf("%v\n%s", err, out)
		case strings.Contains(string(out), "SKIP"):
			t.Skip("this kernel cannot forbid executable memory")
		}
		return
	}
	const setMDWE, refuseExecGain = 65, 1 // prctl(2), since Linux 6.3
	if _, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, setMDWE, refuseExecGain, 0, 0, 0, 0); errno != 0 {
		t.Skipf("this kernel cannot forbid executable memory: %v", errno)
	}
	if native.Reason() == "" {
		t.Error("the system should refuse executable memory")
	}
	g, out := randomGraph(rand.New(rand.NewPCG(3, 1)), 5, 60)
	coded, interpreted := bothWays(g, []graph.Node{out, grad.Gradient(g, out)})
	if coded.Native != nil {
		t.Error("the program has machine code")
	}
	a, b := coded.NewMachine(), interpreted.NewMachine()
	q := []float64{0.1, 0.2, 0.3, 0.4, 0.5}
	if a.Run(q) != nil || b.Run(q) != nil || !sameBits(a.Root(0)[0], b.Root(0)[0]) {
		t.Errorf("values %v and %v should be equal", a.Root(0), b.Root(0))
	}
}
