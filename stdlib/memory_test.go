package stdlib

import (
	"errors"
	"testing"
)

// TestCheckMemory: what no machine has is refused, small values never are.
func TestCheckMemory(t *testing.T) {
	if _, known := MachineMemory(); !known {
		t.Skip("the memory of this machine is not known")
	}
	if err := CheckMemory(1e17); !errors.Is(err, ErrMemory) {
		t.Errorf("1e17 numbers: %v, want %v", err, ErrMemory)
	}
	if err := CheckMemory(1000); err != nil {
		t.Errorf("1000 numbers: %v", err)
	}
	if err := CheckNumbers("f", []int{1 << 15, 1 << 16}); err == nil {
		t.Error("f: 2^31 numbers are above the bound of a result")
	}
}
