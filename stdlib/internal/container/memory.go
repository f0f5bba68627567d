// The memory that values may take: what can be foreseen to be too much is refused, where Go would end the program.

package container

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
)

// ErrMemory is what errors of values wrap for which there is no memory.
var ErrMemory = errors.New("out of memory")

// largeNumbers is how many numbers a value has at least whose memory is looked at: 32 MB of them.
const largeNumbers = 1 << 22

// CheckMemory returns an error that wraps ErrMemory if this machine has no memory for further float64
// numbers. Where it is not known how much it has, it returns nil.
func CheckMemory(numbers float64) error {
	if numbers < largeNumbers || fits(8*numbers, 2) {
		return nil
	}
	runtime.GC() // there may be values that nobody holds any more
	if fits(8*numbers, 2) {
		return nil
	}
	return fmt.Errorf("%w: %.3g further numbers take %.3g GB, which this machine does not give the program", ErrMemory, numbers, 8*numbers/1e9)
}

// CheckGrowth returns an error that wraps ErrMemory if the memory in use could not double at once, as by long lists that are copied to longer
// places in several goroutines.
func CheckGrowth() error {
	room := func() (used float64, ok bool) {
		in := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(in)
		used = float64(in[0].Value.Uint64())
		return used, used < 16*largeNumbers || fits(used, 4)
	}
	if _, ok := room(); ok {
		return nil
	}
	runtime.GC()
	used, ok := room()
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %.3g GB are in use, and this machine does not give the program much more", ErrMemory, used/1e9)
}

// HeapMemory is the most memory in bytes that values may have: MachineMemory, without the addresses that Go's runtime
// has taken for itself where these are limited, and will take for threads. It is asked for when the program begins.
func HeapMemory() (bytes float64, ok bool) {
	bytes, ok = MachineMemory()
	const threads = 4 * 72 << 20 // of 8 MB of stack and 64 MB for malloc, where the C library makes them
	if free, limited := freeAddresses(); limited {
		return min(bytes, max(free-threads, free/2)), true
	}
	return bytes, ok
}

// fits reports whether memory of a size can be had beside what is in use. What is idle is in pieces: it counts if it
// is several times as much.
func fits(bytes, times float64) bool {
	in := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(in)
	total, idle := float64(in[0].Value.Uint64()), float64(in[1].Value.Uint64()+in[2].Value.Uint64())
	const left = 0.95 // for what is not a value
	most, ok := MachineMemory()
	if ok && total-idle+bytes > left*most {
		return false
	}
	free, ok := freeAddresses()
	return !ok || bytes <= left*free || times*bytes <= idle
}
