// What must be done on arm64 before code that has just been written is run.
//
// There is no native code for Darwin on arm64: memory that is written first and executable
// then needs an entitlement or functions of the system's C library there.

package native

import (
	"fmt"
	"syscall"
	"unsafe"
)

// membarrier and its commands (membarrier(2)): every thread of this process is to see
// instructions that have been written, from a system call or interrupt on.
const (
	membarrier = 283
	register   = 1 << 6 // MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE
	syncCores  = 1 << 5 // MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
)

// lacking reports what the machine lacks; empty where it lacks nothing.
func lacking() string {
	if _, _, e := syscall.RawSyscall(membarrier, register, 0, 0); e != 0 {
		return fmt.Sprintf("the system does not let processors wait for new instructions: membarrier: %v", e)
	}
	return ""
}

// publish makes code visible to the instruction fetches of all processors.
func publish(code []byte) error {
	synchronise(unsafe.Pointer(unsafe.SliceData(code)), uintptr(len(code)))
	if _, _, e := syscall.RawSyscall(membarrier, syncCores, 0, 0); e != 0 {
		return fmt.Errorf("membarrier: %w", e)
	}
	return nil
}

// synchronise cleans lines of the data cache and invalidates lines of the instruction cache.
//
//go:noescape
func synchronise(code unsafe.Pointer, size uintptr)
