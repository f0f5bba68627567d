package bridge

// This file has a shared library carry the program of a model: behind its last byte, where loaders do not look.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// marker ends a file that carries a program; before it is the length of the program's JSON, of 8 bytes.
const marker = "ppl-bridgestan-1"

// Carried is what a library carries.
type Carried struct {
	Name    string `json:"name"`    // of the model, as in "bernoulli_model"
	File    string `json:"file"`    // as messages call the program
	Program string `json:"program"` // without #include
}

// errNone reports a file that carries nothing.
var errNone = errors.New("the library carries no program: ppl bridgestan MODEL makes one that does")

// ReadCarried reads what a library carries.
func ReadCarried(path string) (c Carried, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	end := info.Size() - int64(8+len(marker))
	if end < 0 {
		return c, errNone
	}
	tail := make([]byte, 8+len(marker))
	if _, err := f.ReadAt(tail, end); err != nil {
		return c, err
	}
	size := binary.LittleEndian.Uint64(tail)
	if string(tail[8:]) != marker || size > uint64(end) {
		return c, errNone
	}
	text := make([]byte, size)
	if _, err := f.ReadAt(text, end-int64(size)); err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

// Carry writes a library that carries a program: the library as it is, and the program.
func Carry(w io.Writer, library []byte, c Carried) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := w.Write(library); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s%s", text, binary.LittleEndian.AppendUint64(nil, uint64(len(text))), marker)
	return err
}
