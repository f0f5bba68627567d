//go:build !linux

package container

// MachineMemory stands for what is read on Linux alone.
func MachineMemory() (bytes float64, ok bool) { return 0, false }

func freeAddresses() (bytes float64, ok bool) { return 0, false }
