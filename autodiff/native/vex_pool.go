// The constants that code of amd64 refers to; they lie before it.

package native

import (
	"encoding/binary"
	"math"
)

// Where the constants are, in bytes from the start of the memory.
const (
	poolSign = 0  // the sign bit, four times
	poolOne  = 32 // 1, four times
	poolHead = 64 // all bits three times, then none: the masks of three, two and one lanes
	poolSize = poolHead + 48
)

// newPool makes the start of a code buffer, with room for size bytes in all.
func newPool(size int) []byte {
	buf := make([]byte, 0, size)
	for range 4 {
		buf = binary.LittleEndian.AppendUint64(buf, 1<<63)
	}
	for range 4 {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(1))
	}
	for i := range 6 {
		mask := uint64(0)
		if i < 3 {
			mask = ^mask
		}
		buf = binary.LittleEndian.AppendUint64(buf, mask)
	}
	return buf
}
