package parser

// This file knows the spellings of old Stan programs and says the new ones.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// oldCall reports get_lp(); it reads on as target() would.
func (p *parser) oldCall(name *ast.Ident) {
	if name.Name == "get_lp" {
		p.report(codeOldLogProb, name.Loc, "get_lp() is not in the language any more").Help = "write target()"
	}
}

// oldCallStmt reports increment_log_prob(x); and reports whether it was that.
func (p *parser) oldCallStmt(start int, c *ast.Call) bool {
	if c.Name.Name != "increment_log_prob" {
		return false
	}
	x := "x"
	if len(c.Args) == 1 {
		x = spanOf(c.Args[0].Span())
	}
	p.report(codeOldLogProb, c.Name.Loc, "increment_log_prob is not in the language any more").
		Help = "write target += " + x + ";"
	p.endOf("the statement")
	return true
}

// oldLogProb reports an assignment to lp__.
func (p *parser) oldLogProb(where source.Span) {
	p.report(codeOldLogProb, where, `"lp__" cannot be assigned to`).Help = `write "target += x;"`
}

// oldAssignment reports x <- y, which reads as the comparison x < -y, and reports whether it was
// that. The rest of the statement is skipped.
func (p *parser) oldAssignment(x ast.Expr) bool {
	for {
		b, ok := x.(*ast.Binary)
		if !ok {
			return false
		}
		if b.Op == "<" && strings.HasPrefix(b.OpLoc.File.Text[b.OpLoc.End:], "-") {
			arrow := source.Span{File: b.OpLoc.File, Start: b.OpLoc.Start, End: b.OpLoc.End + 1}
			if id, ok := b.L.(*ast.Ident); ok && id.Name == "lp__" {
				p.oldLogProb(id.Loc)
				p.bailed = true
				return true
			}
			p.fail(codeOldAssign, arrow, `"<-" does not assign`).Help =
				"write " + spanOf(b.L.Span()) + " = ..."
			return true
		}
		x = b.L
	}
}

// oneLine puts a piece of program text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
