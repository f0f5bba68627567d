package lsp

// This file is the framing of messages: a header with the length, then the body.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	mostBody    = 64 << 20 // bytes of a message; more is taken for a wrong length
	mostHeaders = 64       // header lines of a message
)

// A FrameError says that the input is no sequence of messages; where the next one
// begins is then unknown.
type FrameError struct{ Text string }

func (e *FrameError) Error() string { return "the input is no language client: " + e.Text }

// readFrame reads one message's body. At the end of the input, between messages, the
// error is io.EOF.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := headerLine(r)
		switch {
		case err == io.EOF && n == 0 && line == "":
			return nil, io.EOF
		case err == io.EOF:
			return nil, &FrameError{"it ends inside a header"}
		case err != nil:
			return nil, err
		case n >= mostHeaders:
			return nil, &FrameError{fmt.Sprintf("a header has more than %d lines", mostHeaders)}
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, &FrameError{fmt.Sprintf("expected a header line such as Content-Length: 10, found %.40q", line)}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		length, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || length < 0 || length > mostBody {
			return nil, &FrameError{fmt.Sprintf("Content-Length is %.40q, expected a number up to %d", strings.TrimSpace(value), mostBody)}
		}
	}
	if length < 0 {
		return nil, &FrameError{"a header has no Content-Length"}
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(length))) // grows with what is there, not with what is claimed
	if err == nil && len(body) < length {
		err = &FrameError{"it ends inside a message"}
	}
	return body, err
}

// headerLine reads a line without its end; lines longer than the reader's buffer are
// an error.
func headerLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", &FrameError{"a header line is too long"}
	}
	return strings.TrimRight(string(line), "\r\n"), err
}

// writeFrame writes one message.
func writeFrame(w io.Writer, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}
