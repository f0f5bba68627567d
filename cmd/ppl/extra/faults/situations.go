//go:build unix

// This file puts ppl in situations that are hostile as a whole: what surrounds it, not one file.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A situation is a script for sh, in a folder that has a model m.ppl with data, and its fits fit and second.
type situation struct {
	name, script string
	codes        string // exit codes that are right
}

// nowhere is the exit code of a script for which this system lacks something.
const nowhere = 77

var situations = []situation{
	{"disk without room, `run`", "mkdir d; mount -t tmpfs -o size=64k tmpfs d 2>/dev/null || exit 77; $run --out d/new; c=$?; umount d; exit $c", "1"},
	{"disk without room, `report`", "mkdir d; mount -t tmpfs -o size=64k tmpfs d 2>/dev/null || exit 77; ppl report fit --out d/r.html; c=$?; umount d; exit $c", "1"},
	{"disk without room, `diagnose --out`", "mkdir d; mount -t tmpfs -o size=64k tmpfs d 2>/dev/null || exit 77; ppl diagnose m.ppl --with 'sbc(laplace(), replications = 300)' --out d/j -q; c=$?; umount d; exit $c", "1"},
	{"disk without room, `fmt --write`", "mkdir d; mount -t tmpfs -o size=8k tmpfs d 2>/dev/null || exit 77; cp m.ppl d; head -c 8000 /dev/zero >d/z; ppl fmt --write d/m.ppl; c=$?; cmp m.ppl d/m.ppl || c=99; umount d; exit $c", "1 2"},
	{"files of at most 4 kB, `run`", "ulimit -f 8; $run --out new", "1"},
	{"files of at most 4 kB, `report`", "ulimit -f 8; ppl report fit --out r.html", "1"},
	{"standard output full, `summary`", "ppl summary fit >/dev/full", "1"},
	{"standard output full, `run`", "$run --out new >/dev/full", "1"},
	{"standard streams closed, `run`", "$run --out new >&- 2>&- <&-; c=$?; ppl verify new && exit $c", "0"},
	{"reader of the output gone, `summary --json`", "ppl summary fit --json | head -c 10", "0"},
	{"folder that cannot be written, `run`", "mkdir d; chmod 555 d; setpriv --reuid 65534 --clear-groups true 2>/dev/null || exit 77; setpriv --reuid 65534 --clear-groups $run --out d/new", "2"},
	{"folder that cannot be written, `--resume`", "setpriv --reuid 65534 --clear-groups true 2>/dev/null || exit 77; setpriv --reuid 65534 --clear-groups ppl run m.ppl --out fit --resume --draws 300 -q", "2"},
	{"folder removed while a run writes", "$of --draws 100000 --out new & await new/chain-1.csv; rm -rf new; wait $!", "0 1"},
	{"folder moved while a run writes", "$of --draws 100000 --out new & await new/chain-1.csv; mv new old; wait $!", "1"},
	{"file in the place of the folder while a run writes", "$of --draws 100000 --out new & await new/chain-1.csv; rm -rf new; echo x >new; wait $!", "1"},
	{"working folder removed", "mkdir d; cd d; rmdir ../d; ppl run ../m.ppl --seed 1 -q --out new", "2"},
	{"8 open files, `run`", "ulimit -n 8; $run --out new", "1 2"},
	{"8 open files, `report`", "ulimit -n 8; ppl report fit --out r.html", "0 1 2"},
	{"stopped and continued", "$of --draws 20000 --out new & p=$!; sleep 0.2; kill -STOP $p; sleep 0.5; kill -CONT $p; wait $p", "0"},
	{"a second of processor time", "ulimit -S -t 1; $of --draws 20000000 --out new --time-limit 100s", "130"},
	{"1 GB of addresses, `check`", "ulimit -v 1000000; ppl check m.ppl", "0"},
	{"800 MB of addresses, `check`", "ulimit -v 800000; ppl check m.ppl", "1"},
	{"1.2 GB of addresses, a loop without end", "ulimit -v 1200000; echo 'parameters { real x; } model { while (1) target += x; }' >x.ppl; ppl run x.ppl --seed 1 -q", "1"},
	{"1.2 GB of addresses, a model of 8 GB", "ulimit -v 1200000; echo 'parameters { vector[1000000000] x; } model { x ~ normal(0, 1); }' >x.ppl; ppl run x.ppl --seed 1 -q", "1 2"},
	{"memory for no draws", "ulimit -v 1200000; $of --draws 50000000", "1"},
	{"links in a circle as model, data, folder", "ln -s a b; ln -s b a; ppl check a; ppl run m.ppl --data a; $run --out a", "2"},
	{"a folder that holds itself", "mkdir d; ln -s ../d d/d; ppl summary d", "2"},
	{"names with line feeds and escapes", `f=$(printf 'a\nb\033]0;t\342\200\256'); cp m.ppl "$f.ppl"; cp m.json "$f.json"; ppl run "$f.ppl" --seed 1 -q --out "new$f" >/dev/null && ppl summary "new$f" >/dev/null && ppl report "new$f" >/dev/null && ppl verify "new$f" >/dev/null`, "0"},
	{"a name of 255 bytes, and one of 256", `f=$(printf 'y%.0s' $(seq 255)); $run --out $f >/dev/null && $run --out y$f`, "2"},
	{"a name that is no UTF-8", `ppl check "$(printf '\377.ppl')"`, "2"},
	{"data: NaN, 1e400, huge integers, a name twice", `for t in '{"N":2,"y":[NaN,1]}' '{"N":2,"y":[1e400,1]}' '{"N":99999999999999999999,"y":[1]}' '{"N":2,"N":3,"y":[1,2]}'; do echo "$t" >d.json; ppl run m.ppl --data d.json --seed 1 -q; c=$?; [ $c = 1 ] || [ $c = 2 ] || exit 99; done; exit $c`, "2"},
	{"data: 200,000 brackets", `(printf '{"N":2,"y":'; printf '[%.0s' $(seq 200000)) >d.json; ppl run m.ppl --data d.json -q`, "2"},
	{"data: NUL bytes", `printf '{"N":2,"y":[1,\000 2]}' >d.json; ppl run m.ppl --data d.json -q`, "2"},
	{"data: UTF-16", `printf '\377\376{\000}\000' >d.json; ppl run m.ppl --data d.json -q`, "2"},
	{"data: /dev/zero and /dev/urandom", "ppl run m.ppl --data /dev/zero -q; ppl run m.ppl --data /dev/urandom -q", "2"},
	{"data: 200,000 columns", "seq -s, 200000 >d.csv; seq -s, 200000 >>d.csv; ppl run m.ppl --data d.csv -q", "2"},
	{"marks of Parquet and Arrow around noise", "for k in PAR1 ARROW1; do (printf $k; head -c 100000 /dev/urandom; printf $k) >d.parquet; ppl run m.ppl --data d.parquet -q; [ $? = 2 ] || exit 99; done; exit 2", "2"},
	{"include: itself, a device, a pipe, 2^40 files", `echo '#include "x.ppl"' >x.ppl; ppl check x.ppl; echo '#include "/dev/zero"' >x.ppl; ppl check x.ppl; mkfifo p; echo '#include "p"' >x.ppl; ppl check x.ppl; for i in $(seq 40); do printf '#include "y%d"\n#include "y%d"\n' $((i+1)) $((i+1)) >y$i; done; ppl check y1`, "2"},
	{"a model of 20,000 statements", `(echo 'parameters { real x; } model {'; yes 'x ~ normal(0, 1);' | head -n 20000; echo '}') >x.ppl; ppl check x.ppl`, "0"},
	{"a model of 10,000 blocks in blocks", `(echo 'parameters { real x; } model '; yes '{' | head -n 10000; yes '}' | head -n 10000) >x.ppl; ppl check x.ppl`, "2"},
	{"a sum of 5,000 terms, 100,000 brackets", `(printf 'parameters { real x; } model { target += x'; printf '+x%.0s' $(seq 5000); echo '; }') >x.ppl; ppl check x.ppl >/dev/null || exit 99; (printf 'parameters { real x; } model { target += '; printf '(%.0s' $(seq 100000)) >x.ppl; ppl check x.ppl`, "2"},
	{"functions that call themselves for ever", "echo 'functions { real f(real x); real f(real x) { return f(x) + 1; } } parameters { real x; } model { target += f(x); }' >x.ppl; ppl run x.ppl --seed 1 -q", "1 2"},
	{"another version's run.json", `cp -r fit c; sed 's/"version": "[^"]*"/"version": "9.9.9"/' fit/run.json >c/run.json; ppl summary c`, "2"},
	{"`--resume` with another model, data, seed, method", "cp -r fit c; sed 's/normal(0, 1)/normal(0, 2)/' m.ppl >x.ppl; cp m.json x.json; for a in 'x.ppl' 'm.ppl --data second/run.json' 'm.ppl --seed 9' 'm.ppl --method mh()'; do ppl run $a --out c --resume -q; [ $? = 2 ] || exit 99; done; ppl verify c >/dev/null || exit 99; exit 2", "2"},
	{"two runs into one folder", "$of --draws 20000 --out new & p=$!; sleep 0.1; $of --draws 20000 --out new; c=$?; wait $p || c=99; ppl verify new >/dev/null || c=99; exit $c", "2"},
	{"a report while a run writes", "$of --draws 50000 --out new & p=$!; await new/chain-1.csv; ppl report new --out r.html; c=$?; wait $p || c=99; exit $c", "0"},
	{"`--out` is a file, a device, a folder with the model", "$run --out m.json; [ $? = 2 ] || exit 99; $run --out /dev/null; [ $? = 2 ] || exit 99; $run --out .", "2"},
	{"`report --out` is the model, a chain of the fit", "ppl report fit --out m.ppl; [ $? = 2 ] || exit 99; ppl report fit --out fit/chain-1.csv", "2"},
	{"`generate --out` is its fit", "ppl generate m.ppl --fit fit --out fit", "2"},
	{"a chain more: a device, a folder, a pipe", "cp -r fit c; ln -s /dev/zero c/chain-9.csv; ppl summary c >/dev/null || exit 99; rm c/chain-9.csv; mkdir c/chain-9.csv; ppl summary c >/dev/null || exit 99; rmdir c/chain-9.csv; mkfifo c/chain-9.csv; ppl summary c", "0"},
	{"folders of the system: /, /proc/self", "ppl summary /; [ $? = 2 ] || exit 99; ppl verify /; [ $? = 2 ] || exit 99; ppl summary /proc/self", "2"},
	{"no environment, no folder for temporary files", "PATH=$PATH TMPDIR=/nowhere; export TMPDIR; unset HOME; $run && ppl summary fit >/dev/null", "0"},
	{"files dated before 1970", "TZ=UTC touch -d 1960-01-01 m.json; $run --out new", "0"},
}

// A met situation is what came of it.
type met struct {
	Name string `json:"name"`
	Code int    `json:"code"`
	Said string `json:"said"` // the first line
}

const prelude = `PATH=$(cd ../bin; pwd):$PATH
of="ppl run m.ppl --seed 1 --chains 2 --warmup 100 --quiet"
run="$of --draws 100"
await() { n=0; until [ -s $1 ] || [ $n = 500 ]; do sleep 0.02; n=$((n+1)); done; }
`

// meet puts ppl in the situations.
func (b *bench) meet(all []situation) ([]met, error) {
	if len(all) == 0 {
		return nil, nil
	}
	if err := b.fits("whole", "second"); err != nil {
		return nil, err
	}
	bin := filepath.Join(b.dir, "bin")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.Chmod(b.dir, 0o755), os.Symlink(b.ppl, filepath.Join(bin, "ppl"))); err != nil {
		return nil, err
	}
	var out []met
	for i, s := range all {
		if b.ctx.Err() != nil {
			break
		}
		dir := filepath.Join(b.dir, fmt.Sprint("situation", i))
		if err := b.furnish(dir); err != nil {
			return nil, err
		}
		before := everything(dir)
		code, text := b.script(dir, s.script)
		if code == nowhere {
			continue
		}
		first := strings.SplitN(strings.TrimSpace(text), "\n", 2)[0]
		out = append(out, met{s.name, code, first})
		switch {
		case !slices.Contains(strings.Fields(s.codes), fmt.Sprint(code)):
			b.fail("%s: exit code %d, want %s: %.500s", s.name, code, s.codes, text)
		case traces.MatchString(text):
			b.fail("%s: %.500s", s.name, text)
		case !kept(dir, before):
			b.fail("%s: the model, the data or a fit is not as it was", s.name)
		}
		_ = os.RemoveAll(dir)
	}
	return out, nil
}

var traces = regexp.MustCompile(`internal error|goroutine \d|fatal error`)

// furnish makes the folder of a situation.
func (b *bench) furnish(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, from := range map[string]string{"m.ppl": "model.ppl", "m.json": "model.json", "model.ppl": "model.ppl", "model.json": "model.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(inputs[from]), 0o644); err != nil {
			return err
		}
	}
	return errors.Join(copyTree(filepath.Join(b.dir, "whole"), filepath.Join(dir, "fit")), copyTree(filepath.Join(b.dir, "second"), filepath.Join(dir, "second")))
}

// kept reports whether all that a folder had is there as it was.
func kept(dir, before string) bool {
	for _, name := range []string{"m.ppl", "m.json", "fit", "second"} {
		if at := filepath.Join(dir, name); !strings.Contains(before, everything(at)) {
			return false
		}
	}
	return true
}

// script runs a script to its end; what it says is without what it prints.
func (b *bench) script(dir, text string) (code int, said string) {
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", prelude+text)
	var stderr strings.Builder
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = dir, &stderr, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// situationTable has a row for each situation.
func situationTable(b *strings.Builder, all []met) {
	b.WriteString("\n## Situations\n\nWhat surrounds a command is hostile: the disk, the limits of the system, names, other programs. Model, data and fits that were there must stay\nas they are, and nothing may end in an internal error, a trace or not at all. Not met are limits under which no Go program begins: 300 MB of addresses, 6 open files.\n\n| situation | exit code | said |\n| --- | --: | --- |\n")
	for _, m := range all {
		fmt.Fprintf(b, "| %s | %d | %s |\n", m.Name, m.Code, shown(m.Said))
	}
	fmt.Fprintf(b, "\n%d situations.\n", len(all))
}

// shown is a line for a cell of a table.
func shown(line string) string {
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line)
	if len(line) > 120 {
		line = line[:117] + "..."
	}
	if line == "" {
		return "–"
	}
	return "`" + strings.NewReplacer("|", "/", "`", "'").Replace(line) + "`"
}
