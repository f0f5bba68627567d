package draws

import (
	"strings"
	"testing"
)

// TestReadCSVOfOtherPrograms: a byte order mark is passed over; UTF-16 is named.
func TestReadCSVOfOtherPrograms(t *testing.T) {
	const text = "lp__,mu\n-1,0.5\n-2,1.5\n"
	for _, head := range []string{"", "# seed = 3\n"} {
		c, err := ReadCSV(strings.NewReader("\ufeff"+head+text), "a.csv")
		if err != nil || len(c.Rows) != 2 || c.Names[0] != LogDensityColumn || head != "" && c.Setting("seed") != "3" {
			t.Errorf("%q with a mark: %+v, %v", head, c, err)
		}
	}
	wide := strings.Join(strings.Split(text, ""), "\x00") + "\x00"
	for _, in := range []string{"\xff\xfe" + wide, "\xfe\xff\x00" + wide[:len(wide)-1], wide} {
		if _, err := ReadCSV(strings.NewReader(in), "a.csv"); err == nil || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("% x: %v", in[:4], err)
		}
	}
}
