package folders

// This file identifies models and data by digests.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// Digest identifies a file by its content; of a list of files (see data.Files), by the digests of all.
func Digest(list string) (*draws.Source, error) {
	paths := data.Files(list)
	var sums []string
	for _, path := range paths {
		sum, err := digestOfFile(path)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	if len(sums) > 1 {
		return DigestOf(list, []byte(strings.Join(sums, "\n"))), nil
	}
	return &draws.Source{File: list, SHA256: sums[0]}, nil
}

func digestOfFile(path string) (string, error) {
	f, err := disk.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// DigestOf is digest of a text in memory.
func DigestOf(name string, text []byte) *draws.Source {
	sum := sha256.Sum256(text)
	return &draws.Source{File: name, SHA256: hex.EncodeToString(sum[:])}
}

// ModelDigest identifies the program with what it includes.
func ModelDigest(path string, p *lang.Program) *draws.Source {
	text := p.File.Text
	for _, f := range p.Included {
		text += "\x00" + f.Text
	}
	return DigestOf(path, []byte(text))
}

// SameSource compares files by content.
func SameSource(a, b *draws.Source) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SHA256 == b.SHA256
}

func Shown(s *draws.Source) string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("%s, SHA-256 %.12s", s.File, s.SHA256)
}
