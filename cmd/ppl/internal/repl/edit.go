package repl

// This file is :edit.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// edit opens the last input, or the model, in an editor, and takes what that leaves.
func (s *Session) edit(ctx context.Context, what string) error {
	text := s.typed
	switch {
	case s.Terminal == nil:
		return errors.New("a cell is edited where it stands; :show prints the model")
	case what == "model" || what == "" && text == "":
		text = s.text
	case what != "":
		return fmt.Errorf(":edit takes the last input, and :edit model the whole model; found %q", what)
	}
	after, err := s.edited(text)
	if err != nil || strings.TrimSpace(after) == strings.TrimSpace(text) {
		return err
	}
	if what == "model" || s.typed == "" {
		return s.setModel(filepath.Join(filepath.Dir(s.file), unnamed), after)
	}
	s.remember(after)
	return s.input(ctx, strings.TrimRight(after, "\n"))
}

// edited is a text after its editor has ended.
func (s *Session) edited(text string) (string, error) {
	if s.Editor != nil {
		return s.Editor(text)
	}
	dir, err := os.MkdirTemp("", "ppl")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "input.ppl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	words := strings.Fields(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	if len(words) == 0 {
		return "", errors.New("the name of the editor is empty; $EDITOR has it")
	}
	c := exec.Command(words[0], append(words[1:], path)...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("the editor %s (of $EDITOR): %w", words[0], err)
	}
	after, err := disk.ReadFile(path)
	return string(after), err
}
