package main

// This file is ppl completion: scripts that let a shell complete commands and flags. They
// are made from the same description as the help.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
)

// completionCmd prints a completion script.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help implements kong.HelpProvider.
func (*completionCmd) Help() string {
	return frame.Examples(
		"ppl completion bash > /etc/bash_completion.d/ppl",
		"ppl completion zsh > \"${fpath[1]}/_ppl\"",
		"ppl completion fish > ~/.config/fish/completions/ppl.fish",
	)
}

// Run prints the script.
func (c *completionCmd) Run(a *frame.App) error {
	parser, err := newParser(a)
	if err != nil {
		return err
	}
	write := map[string]func([]*kong.Node) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	_, err = io.WriteString(a.Raw, write(visible(parser.Model.Children)))
	return err
}

// visible are the commands that are meant to be seen.
func visible(commands []*kong.Node) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(commands), func(c *kong.Node) bool { return c.Hidden })
}

// flagsOf are the flags of a command that are meant to be seen, the common ones included.
func flagsOf(command *kong.Node) []*kong.Flag {
	var out []*kong.Flag
	for _, group := range command.AllFlags(true) {
		out = append(out, group...)
	}
	return out
}

// valuesOf are the words that a flag takes; nil where it takes others, such as files.
func valuesOf(f *kong.Flag) []string {
	switch {
	case f.Enum != "":
		return strings.Split(f.Enum, ",")
	case f.Name == "format":
		return outputs.Formats
	case f.Name == "kind":
		return pictureKinds
	case f.Name == "dump":
		return stages
	}
	return nil
}

// argumentsOf are the words that a command takes as arguments; nil where it takes others.
func argumentsOf(command *kong.Node, commands []*kong.Node) []string {
	if command.Name == "help" {
		var names []string
		for _, c := range commands {
			names = append(names, c.Name)
		}
		return names
	}
	for _, p := range command.Positional {
		if p.Enum != "" {
			return strings.Split(p.Enum, ",")
		}
	}
	return nil
}

func bashScript(commands []*kong.Node) string {
	var names []string
	var cases strings.Builder
	for _, c := range commands {
		names = append(names, c.Name)
		var flags []string
		values := ""
		for _, f := range flagsOf(c) {
			flags = append(flags, "--"+f.Name)
			if words := valuesOf(f); words != nil {
				values += fmt.Sprintf(" --%s) values=%s ;;", f.Name, quoted(strings.Join(words, " ")))
			}
		}
		fmt.Fprintf(&cases, "\t%s)\n\t\twords=%s\n", c.Name, quoted(strings.Join(flags, " ")))
		if words := argumentsOf(c, commands); words != nil {
			fmt.Fprintf(&cases, "\t\tvalues=%s\n", quoted(strings.Join(words, " ")))
		}
		if values != "" {
			fmt.Fprintf(&cases, "\t\tcase $before in%s esac\n", values)
		}
		cases.WriteString("\t\t;;\n")
	}
	return fmt.Sprintf(`# Completion of ppl for bash: source <(ppl completion bash)
_ppl() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} commands=%s words= values=
	COMPREPLY=()
	[ "$current" = = ] && current=
	[ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$commands" -- "$current"))
		return
	fi
	case ${COMP_WORDS[1]} in
%s	esac
	case $current in
	-*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
	*)
		if [ -n "$values" ]; then
			COMPREPLY=($(compgen -W "$values" -- "$current"))
		else
			COMPREPLY=($(compgen -f -- "$current"))
		fi
		;;
	esac
}
complete -o filenames -F _ppl ppl
`, quoted(strings.Join(names, " ")), cases.String())
}

func zshScript(commands []*kong.Node) string {
	var list, cases strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&list, "\t\t%s\n", quoted(c.Name+":"+c.Help))
		fmt.Fprintf(&cases, "\t%s)\n\t\t_arguments \\\n", c.Name)
		for _, f := range flagsOf(c) {
			help := strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.Help)
			value := ""
			if !f.IsBool() {
				value = ":" + f.FormatPlaceHolder() + ":" + zshWords(valuesOf(f))
			}
			fmt.Fprintf(&cases, "\t\t\t%s \\\n", quoted(fmt.Sprintf("--%s[%s]%s", f.Name, help, value)))
		}
		fmt.Fprintf(&cases, "\t\t\t'*:argument:%s' ;;\n", zshWords(argumentsOf(c, commands)))
	}
	return fmt.Sprintf(`#compdef ppl
# Completion of ppl for zsh: source <(ppl completion zsh)
_ppl() {
	local -a commands
	commands=(
%s	)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	shift words
	(( CURRENT-- ))
	case $words[1] in
%s	esac
}
if [ "$funcstack[1]" = _ppl ]; then # loaded by zsh as a file of its own
	_ppl "$@"
else
	compdef _ppl ppl
fi
`, list.String(), cases.String())
}

// zshWords is how zsh completes a value: by one of words, or by files.
func zshWords(words []string) string {
	if words == nil {
		return "_files"
	}
	return "(" + strings.Join(words, " ") + ")"
}

func fishScript(commands []*kong.Node) string {
	var b strings.Builder
	b.WriteString("# Completion of ppl for fish: ppl completion fish | source\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c ppl -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, quoted(c.Help))
		if words := argumentsOf(c, commands); words != nil {
			fmt.Fprintf(&b, "complete -c ppl -n '__fish_seen_subcommand_from %s' -f -a %s\n", c.Name, quoted(strings.Join(words, " ")))
		}
		for _, f := range flagsOf(c) {
			fmt.Fprintf(&b, "complete -c ppl -n '__fish_seen_subcommand_from %s' -l %s", c.Name, f.Name)
			if f.Short != 0 {
				fmt.Fprintf(&b, " -s %c", f.Short)
			}
			switch words := valuesOf(f); {
			case words != nil:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(words, " ")))
			case !f.IsBool():
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", quoted(f.Help))
		}
	}
	return b.String()
}

// quoted is a word of all three shells.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
