// Machine code under the runtime: collections, profiling signals, many goroutines, and
// code that comes and goes.

package native

import (
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestStress(t *testing.T) {
	needNative(t)
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	block, slots := randomBlock(rand.New(rand.NewPCG(4, 4)), 3000, 60)
	shared := mustBuild(t, block, slots)
	start, want := inputsAndResults(block, shared.Slots(), 5)
	stop := make(chan struct{})
	var collector, workers sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for w := range 6 {
		workers.Go(func() {
			for began, round := time.Now(), 0; time.Since(began) < 600*time.Millisecond; round++ {
				code := shared
				if round%8 == w {
					code = mustBuild(t, block, slots) // freed by a collection soon
				}
				arena := slices.Clone(start)
				code.Run(0, arena)
				for i := range slots {
					if !sameBits(arena[i], want[i]) {
						t.Errorf("slot %d is %v, want %v", i, arena[i], want[i])
						return
					}
				}
			}
		})
	}
	workers.Wait()
	close(stop)
	collector.Wait()
}

func mustBuild(t *testing.T, block []Inst, slots int) *Code {
	code, err := Build([][]Inst{block}, slots)
	if err != nil {
		t.Error(err)
		runtime.Goexit()
	}
	return code
}

// inputsAndResults returns an arena before and after a block.
func inputsAndResults(block []Inst, slots int, seed uint64) (start, want []float64) {
	r := rand.New(rand.NewPCG(seed, seed))
	start = make([]float64, slots)
	for i := range 60 {
		start[i] = r.NormFloat64()
	}
	want = slices.Clone(start)
	plain(block, want)
	return start, want
}

// Memory is returned when the code is not reachable: many times what the system allows
// to map does not run out. It comes back some time after a collection, for which the test
// waits where there is none left.
func TestCodeIsFreed(t *testing.T) {
	needNative(t)
	block := []Inst{{Op: Add, A: InSlot(0), B: InSlot(1), Slot: 2}}
	for i := range 70_000 { // Linux allows 65,530 mappings
		_, err := Build([][]Inst{block}, 3)
		for began := time.Now(); err != nil && time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
			runtime.GC()
			_, err = Build([][]Inst{block}, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
		if i%1000 == 0 {
			runtime.GC()
		}
	}
}
