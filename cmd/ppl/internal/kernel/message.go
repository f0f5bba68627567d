package kernel

// This file reads and writes the messages of Jupyter: frames with a signature
// (jupyter-client.readthedocs.io, Messaging in Jupyter).

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// protocol is the version of Jupyter's messages.
const protocol = "5.3"

// delimiter stands between the frames that route a message and those of its content.
const delimiter = "<IDS|MSG>"

// A header says what a message is.
type header struct {
	ID      string `json:"msg_id"`
	Session string `json:"session"`
	User    string `json:"username"`
	Date    string `json:"date"`
	Type    string `json:"msg_type"`
	Version string `json:"version"`
}

// A request is a message that came in.
type request struct {
	from    *peer
	route   [][]byte // frames before the delimiter
	kind    string   // the type of the message
	header  json.RawMessage
	content json.RawMessage
}

// sign is the signature of the four parts of a message; empty without a key.
func sign(key string, parts [][]byte) []byte {
	if key == "" {
		return nil
	}
	h := hmac.New(sha256.New, []byte(key))
	for _, part := range parts {
		h.Write(part)
	}
	return hex.AppendEncode(nil, h.Sum(nil))
}

// read takes a message apart. The error is about one that is not signed with the key, or is none.
func read(key string, from *peer, frames [][]byte) (*request, error) {
	for i, f := range frames {
		if string(f) != delimiter {
			continue
		}
		if len(frames) < i+6 {
			break
		}
		parts := frames[i+2 : i+6]
		if !hmac.Equal(sign(key, parts), frames[i+1]) {
			return nil, errors.New("the signature is wrong")
		}
		var h header
		if err := json.Unmarshal(parts[0], &h); err != nil {
			return nil, err
		}
		return &request{from: from, route: frames[:i], kind: h.Type, header: parts[0], content: parts[3]}, nil
	}
	return nil, errors.New("frames are missing")
}

// written is a message as frames: route, signature and parts.
func (k *Kernel) written(route [][]byte, kind string, parent json.RawMessage, content any) [][]byte {
	var parts [][]byte
	for _, part := range []any{
		header{ID: rand.Text(), Session: k.session, User: "ppl", Date: time.Now().UTC().Format(time.RFC3339Nano), Type: kind, Version: protocol},
		parent, struct{}{}, content,
	} {
		text, err := encoded(part)
		if err != nil {
			panic(err) // all that is sent can be written
		}
		parts = append(parts, text)
	}
	frames := append(append([][]byte{}, route...), []byte(delimiter), sign(k.key, parts))
	return append(frames, parts...)
}

// encoded is JSON with the characters of HTML as they are.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
