// This file writes values with a checksum at the end, and reads them back.

package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumSize is how many bytes the checksum has.
const sumSize = 4

// A DamagedError says that a file of a journal is not what was written.
type DamagedError struct {
	Path   string
	Reason string
}

func (e *DamagedError) Error() string { return e.Path + ": " + e.Reason }

// encode returns the bytes of a value and their CRC-32C, which is at their end, too.
func encode(content any) (text []byte, sum uint32, err error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(content); err != nil {
		return nil, 0, err
	}
	sum = crc32.Checksum(b.Bytes(), castagnoli)
	return binary.LittleEndian.AppendUint32(b.Bytes(), masked(sum)), sum, nil
}

// read reads a file of what encode gives.
func read(path string, into any) (uint32, error) {
	text, err := disk.ReadFile(path)
	if err != nil {
		return 0, err
	}
	if len(text) < sumSize {
		return 0, &DamagedError{path, fmt.Sprintf("this is no checkpoint that can be read: it has %d bytes", len(text))}
	}
	body, end := text[:len(text)-sumSize], text[len(text)-sumSize:]
	sum := crc32.Checksum(body, castagnoli)
	if want := binary.LittleEndian.Uint32(end); masked(sum) != want {
		return 0, &DamagedError{path, fmt.Sprintf("this is no checkpoint that can be read: its checksum is %08x, expected %08x", masked(sum), want)}
	}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(into); err != nil {
		return 0, &DamagedError{path, "this is no checkpoint that can be read: " + err.Error()}
	}
	return sum, nil
}

// masked is a checksum as it is stored. A text that its plain CRC follows has the same CRC
// whatever it is, so that the list of the folder could not tell such files apart; the
// rotation and the constant are those of LevelDB.
func masked(sum uint32) uint32 { return bits.RotateLeft32(sum, 17) + 0xa282ead8 }
