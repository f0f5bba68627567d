package repl

// This file is the table of commands.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/check"
)

// A command is what an input that begins with ":" asks for.
type command struct {
	name string
	args string // as in the help
	doc  string // one line
	more string // further lines of its help; may be empty
	run  func(s *Session, ctx context.Context, arg string) error
}

// commands is in the order of the help.
func commands() []command {
	return []command{
		{"load", "FILE", "take the model of a file, and NAME.json beside NAME.ppl as its data", "", (*Session).load},
		{"data", "[FILE | {...}]", "take data from a JSON file or as typed in; alone: show what there is",
			`:data {"N": 3, "y": [1, 2, 3]}`, (*Session).readData},
		{"show", "", "the model so far, laid out", "", (*Session).show},
		{"edit", "[model]", "the last input, or the whole model, in the editor of $VISUAL or $EDITOR; what it leaves is taken as typed", ":edit\n:edit model", (*Session).edit},
		{"save", "FILE", "write the model to a file", "", (*Session).save},
		{"reset", "[BLOCK]", "take one block away, or model, data and fits", ":reset generated quantities", (*Session).reset},
		{"method", "[EXPR | default]", "the method of the next runs; alone: show it",
			":method nuts(delta = 0.95)\n:method default          the inference block's, or nuts()", (*Session).chooseMethod},
		{"run", "[EXPR]", "fit the model; Ctrl-C stops and keeps the draws so far", ":run\n:run advi(family = \"fullrank\")", (*Session).run},
		{"summary", "[NAME...]", "the table of the last fit, of all or some variables", ":summary mu tau", (*Session).summary},
		{"plot", "EXPR", "histogram and trace of a variable in the last fit, or of an expression", ":plot tau\n:plot theta[2]\n:plot theta             a line for each number\n:plot mu / tau", (*Session).plot},
		{"diagnose", "[EXPR]", "judge the method on this model; alone: the block's diagnose lines, or may the answer be used",
			":diagnose sbc(nuts(), replications = 200)", (*Session).diagnose},
		{"density", "[FILE | {...}]", "log density and gradient at parameter values; alone: at zero, unconstrained",
			`:density {"mu": 1, "tau": 2}`, (*Session).density},
		{"seed", "[N]", "the seed of all random numbers from here on; alone: show it", "", (*Session).reseed},
		{"simulate", "[keep]", "draw parameters from the prior, and data given them; keep: take these as the data", "", (*Session).simulate},
		{"prior", "[N=VALUE...] [EXPR]", "what the priors expect of the data, or of an expression, over 500 data sets; with other numbers in the priors, as its table counts them",
			":prior\n:prior 2=0.5 3=1        the quantiles follow\n:prior 2=0.5 max(y)", (*Session).prior},
		{"slide", "[N=VALUE...] [EXPR]", "move the numbers in the priors by the arrow keys; the quantiles of the data, or of an expression, follow",
			":slide\n:slide max(y)", (*Session).slide},
		{"type", "EXPR", "the type of an expression", ":type y * y'", (*Session).typeOf},
		{"help", "[NAME]", "this list, or help on a command, a function, a distribution or a method", ":help normal\n:help nuts", (*Session).help},
		{"quit", "", "end the session", "", (*Session).quit},
	}
}

// command carries out an input that begins with ":". Beginnings of names serve where
// they mean one command only.
func (s *Session) command(ctx context.Context, text string) error {
	name, arg := splitCommand(text)
	c, err := findCommand(name)
	if err != nil {
		return err
	}
	return c.run(s, ctx, arg)
}

// splitCommand takes the name of a command off its argument.
func splitCommand(text string) (name, arg string) {
	return firstWord(strings.TrimPrefix(strings.TrimSpace(text), ":"))
}

func findCommand(name string) (command, error) {
	var found []command
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		if name != "" && strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		if near := check.Nearest(name, names()); near != "" {
			return command{}, fmt.Errorf("there is no command :%s; did you mean :%s?", name, near)
		}
		return command{}, fmt.Errorf("there is no command :%s; :help lists them", name)
	case 1:
		return found[0], nil
	}
	var all []string
	for _, c := range found {
		all = append(all, ":"+c.name)
	}
	return command{}, fmt.Errorf(":%s may be %s", name, strings.Join(all, " or "))
}

// names are those of the commands.
func names() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

// isCommand reports whether a line is a command: text of a model may begin with ":" as well.
func isCommand(line string) bool {
	name, _ := splitCommand(line)
	return strings.HasPrefix(line, ":") && slices.Contains(names(), name)
}

// reseed begins with the random numbers of another seed.
func (s *Session) reseed(_ context.Context, arg string) error {
	if arg == "" {
		return s.write(fmt.Sprintln(s.Seed))
	}
	seed, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return fmt.Errorf(":seed needs a whole number of 0 or more, found %s", arg)
	}
	s.Seed, s.model, s.evaluated, s.simulated = seed, nil, 0, 0
	return nil
}

func (s *Session) quit(_ context.Context, arg string) error {
	if arg != "" {
		return errors.New(":quit stands alone")
	}
	if s.Terminal == nil {
		return errors.New("a notebook's session ends where its kernel is shut down, in the menu of the notebook")
	}
	s.done = true
	return nil
}
