// This file prints trees of settings in CmdStan's two forms: comment lines of
// a CSV file, and JSON.

package draws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// appendComments adds one comment line for each entry, children indented.
// Truth values are written 0 and 1: all readers take these, and some nothing
// else.
func appendComments(out []byte, entries []Entry, depth int) []byte {
	for _, e := range entries {
		out = append(out, "# "...)
		out = append(out, strings.Repeat("  ", depth)...)
		out = append(out, e.Name...)
		if e.Value != nil {
			out = append(out, " = "...)
			out = append(out, commentValue(e.Value)...)
			if e.Default {
				out = append(out, " (Default)"...)
			}
		}
		out = append(out, '\n')
		out = appendComments(out, e.Children, depth+1)
	}
	return out
}

func commentValue(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "1"
		}
		return "0"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		text := fmt.Sprint(v)
		if strings.IndexFunc(text, unicode.IsControl) >= 0 { // the name of a file: a line feed would end the comment
			text = strconv.Quote(text)
		}
		return text
	}
}

// configJSON prints the tree as CmdStan's _config.json does: a choice is an
// object whose "value" names the branch taken.
func configJSON(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	if err := writeObject(&b, "", entries); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func writeObject(b *bytes.Buffer, value string, entries []Entry) error {
	b.WriteByte('{')
	sep := ""
	if value != "" {
		b.WriteString(`"value":` + value)
		sep = ","
	}
	for _, e := range entries {
		b.WriteString(sep + strconv.Quote(e.Name) + ":")
		sep = ","
		if err := writeEntry(b, e); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func writeEntry(b *bytes.Buffer, e Entry) error {
	if e.Value == nil {
		return writeObject(b, "", e.Children)
	}
	text, err := json.Marshal(e.Value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", e.Name, err)
	}
	if e.Choice {
		return writeObject(b, string(text), e.Children)
	}
	b.Write(text)
	return nil
}
