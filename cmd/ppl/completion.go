package main

// This file is ppl completion: scripts that let a shell complete commands and flags. They
// are made from the same description as the help.

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints a completion script.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Run prints the script.
func (c *completionCmd) Run(a *app) error {
	parser, err := newParser(a)
	if err != nil {
		return err
	}
	write := map[string]func([]*kong.Node) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	_, err = io.WriteString(a.stdout, write(parser.Model.Children))
	return err
}

// flagsOf are the flags of a command that are meant to be seen, the common ones included.
func flagsOf(command *kong.Node) []*kong.Flag {
	var out []*kong.Flag
	for _, group := range command.AllFlags(true) {
		out = append(out, group...)
	}
	return out
}

func bashScript(commands []*kong.Node) string {
	var names []string
	var cases strings.Builder
	for _, c := range commands {
		names = append(names, c.Name)
		var flags []string
		for _, f := range flagsOf(c) {
			flags = append(flags, "--"+f.Name)
		}
		fmt.Fprintf(&cases, "\t%s) words=%s ;;\n", c.Name, quoted(strings.Join(flags, " ")))
	}
	return fmt.Sprintf(`# Completion of ppl for bash: source <(ppl completion bash)
_ppl() {
	local current=${COMP_WORDS[COMP_CWORD]} commands=%s words=
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ] || [ "${COMP_WORDS[1]}" = help ]; then
		COMPREPLY=($(compgen -W "$commands" -- "$current"))
		return
	fi
	case ${COMP_WORDS[1]} in
%s	esac
	case $current in
	-*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
	*) COMPREPLY=($(compgen -f -- "$current")) ;;
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
				value = ":" + f.FormatPlaceHolder() + ":_files"
			}
			fmt.Fprintf(&cases, "\t\t\t%s \\\n", quoted(fmt.Sprintf("--%s[%s]%s", f.Name, help, value)))
		}
		cases.WriteString("\t\t\t'*:file:_files' ;;\n")
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
compdef _ppl ppl
`, list.String(), cases.String())
}

func fishScript(commands []*kong.Node) string {
	var b strings.Builder
	b.WriteString("# Completion of ppl for fish: ppl completion fish | source\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c ppl -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, quoted(c.Help))
		for _, f := range flagsOf(c) {
			fmt.Fprintf(&b, "complete -c ppl -n '__fish_seen_subcommand_from %s' -l %s", c.Name, f.Name)
			if f.Short != 0 {
				fmt.Fprintf(&b, " -s %c", f.Short)
			}
			if !f.IsBool() {
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", quoted(f.Help))
		}
	}
	return b.String()
}

// quoted is a word of all three shells.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
