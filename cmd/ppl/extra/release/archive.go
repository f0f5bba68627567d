package main

// This file writes archives whose bytes depend on nothing but what is put in.

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"time"
)

// tarred is a tar archive.
func tarred(files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: when, Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// tarGz is a compressed tar archive.
func tarGz(files []file, when time.Time) ([]byte, error) {
	plain, err := tarred(files, when)
	if err != nil {
		return nil, err
	}
	return gzipped(plain)
}

// zipped is a zip archive.
func zipped(files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		h.ExternalAttrs = uint32(0o100000|f.mode) << 16
		h.CreatorVersion = 3 << 8 // Unix, so that the mode counts
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
