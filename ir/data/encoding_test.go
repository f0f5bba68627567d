package data

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestWideText: text whose characters have two or four bytes is named as such, with and without a byte order mark.
func TestWideText(t *testing.T) {
	const text = `{"y": [1, 2], "n": 2}`
	orders := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}
	for i, order := range orders {
		var two, four []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			two = order.AppendUint16(two, u)
		}
		for _, r := range "\ufeff" + text {
			four = order.AppendUint32(four, uint32(r))
		}
		for _, c := range []struct {
			b    []byte
			name string
		}{{two, "UTF-16"}, {two[2:], "UTF-16"}, {four, "UTF-32"}} {
			_, err := Read(strings.NewReader(string(c.b)), "d.json", nil)
			if err == nil || !strings.Contains(err.Error(), "the text is "+c.name+"; save it as UTF-8") {
				t.Errorf("order %d, % x: %v, want %s", i, c.b[:4], err, c.name)
			}
		}
	}
	for _, plain := range []string{text, "\ufeff" + text, "{}", " {}", "{\n}"} {
		if _, err := Read(strings.NewReader(plain), "d.json", nil); err != nil {
			t.Errorf("%q: %v", plain, err)
		}
	}
}
