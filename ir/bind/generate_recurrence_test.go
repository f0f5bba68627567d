// Random recurrences.

package bind_test

import (
	"fmt"
	"strings"
)

// recurrence writes a loop whose iterations use what earlier ones have left: a vector that
// they fill, from its beginning or from its end, and a number, from data and parameters of the
// iteration; some of it in some iterations only.
func (g *generator) recurrence() {
	n := 4 + g.r.IntN(9)
	form := form{kVec, n, 0}
	h, d, c, i := g.name("h"), g.name("d"), g.name("c"), g.name("i")
	g.line("vector[%d] %s = %s;", n, h, g.expr(form, 1))
	g.line("vector[%d] %s = %s;", n, d, g.expr(form, 1))
	g.line("real %s = %s;", c, g.damped(1))
	g.line("real sum_%s = negative_infinity();", h)
	at, before, early := i, i+" - 1", i+" - 2"
	if g.r.IntN(3) == 0 {
		at, before, early = fmt.Sprintf("%d - %s", n+1, i), fmt.Sprintf("%d - %s", n+2, i), fmt.Sprintf("%d - %s", n+3, i)
	}
	past := fmt.Sprintf("sum(h[%s : %s])", early, before)
	if at != i {
		past = fmt.Sprintf("sum(h[%s : %s])", before, early)
	}
	terms := strings.NewReplacer("h", h, "d", d, "c", c)
	term := func() string {
		if g.r.IntN(6) == 0 {
			return "(" + g.real(1) + ")"
		}
		return terms.Replace([]string{"h[" + before + "]", "h[" + before + "]", "h[" + early + "]", past,
			"h[" + at + "]", "d[" + at + "]", "d[" + before + "]", "c", "c"}[g.r.IntN(9)])
	}
	expr := func() string {
		x, y := term(), term()
		return g.pick(
			func() string { return x + " + 0.5 * " + y },
			func() string { return "tanh(" + x + ") * " + y },
			func() string { return "exp(tanh(" + x + " - " + y + "))" },
			func() string { return "sqrt(0.3 + square(" + x + ")) + 0.1 * " + y },
			func() string { return "log_sum_exp(" + x + ", " + y + ")" },
			func() string { return "inv_logit(" + x + ") / (1 + square(" + y + "))" },
			func() string { return "atan2(" + x + ", 3 + square(" + y + "))" })
	}
	g.line("for (%s in 3 : %d) {", i, n)
	g.indent++
	line := func() string {
		text := fmt.Sprintf("%s = 2 * tanh(%s);", c, expr())
		switch k := g.r.IntN(4); {
		case k == 0:
			text = fmt.Sprintf("%s[%s] += %s;", h, at, expr())
		case k == 1 && g.target:
			text = fmt.Sprintf("target += -square(tanh(%s));", expr())
		case k == 2:
			text = fmt.Sprintf("for (k in 1 : 2) %s += 0.1 * tanh(%s[%s - k]);", c, h, i)
		}
		return text
	}
	for range 1 + g.r.IntN(3) {
		switch condition := fmt.Sprintf("%s %% %d > %d", i, 2+g.r.IntN(2), g.r.IntN(2)); g.r.IntN(8) {
		case 0, 1:
			g.line("if (%s) %s", condition, line())
		case 2:
			g.line("if (%s) { %s } else { %s %s }", condition, line(), line(), line())
		default:
			g.line("%s", line())
		}
	}
	last := fmt.Sprintf("%s[%s] = 2 * tanh(%s);", h, at, expr())
	if g.r.IntN(4) == 0 {
		last = fmt.Sprintf("if (%s %% 2 == %d) %s", i, g.r.IntN(2), last)
	}
	g.line("%s", last)
	sum := n%4 == 1 // on the log scale; no random number decides, so that other programs stay what they are
	if sum {
		g.line("if (%s %% 3 > 0) sum_%s = log_sum_exp(%s[%s] * 4, sum_%s);", i, h, d, at, h)
	}
	g.close()
	if sum {
		g.line("%s += tanh(sum_%s);", c, h)
	}
	g.vars = append(g.vars, variable{name: h, form: form}, variable{name: c, form: realForm})
}

// realForm is that of a number.
var realForm = form{kind: kReal}

// groups writes a loop whose iterations are independent but a place, and differ by what is picked
// there: how many numbers there are, and whether something is added.
func (g *generator) groups() {
	n := 5 + g.r.IntN(5)
	form := form{kVec, n, 0}
	h, out, i, at, size := g.name("h"), g.name("out"), g.name("i"), g.name("at"), g.name("size")
	g.line("vector[%d] %s = %s;", n, h, g.expr(form, 1))
	g.line("vector[%d] %s = rep_vector(0, %d);", n, out, n)
	g.line("int %s = 1;", at)
	g.line("for (%s in 1 : %d) {", i, n)
	g.indent++
	g.line("int %s = (%s * %d) %% 3;", size, i, 1+g.r.IntN(2))
	g.line("real sum_%s = %s;", i, g.damped(1))
	term := g.pick(
		func() string { return fmt.Sprintf("sum(segment(%s, %s, %s))", h, at, size) },
		func() string { return fmt.Sprintf("sum(%s[%s : %s + %s - 1])", h, at, at, size) },
		func() string { return fmt.Sprintf("dot_self(head(%s, %s))", h, size) })
	g.line("if (%s + %s <= %d) sum_%s += %s;", at, size, n+1, i, term)
	if g.r.IntN(2) == 0 {
		g.line("for (k in 1 : %s) { if (%s + k > %d) break; sum_%s += tanh(%s[%s + k]); }", size, at, n, i, h, at)
	}
	if g.r.IntN(3) == 0 {
		g.line("if (%s %% 4 == 1) continue;", i)
	}
	index := g.pick(func() string { return i }, func() string { return fmt.Sprintf("%d - %s", n+1, i) })
	g.line("%s[%s] = tanh(sum_%s);", out, index, i)
	if g.target && g.r.IntN(2) == 0 {
		g.line("target += -square(%s[%s]);", out, index)
	}
	g.line("%s = %s + %s > %d ? 1 : %s + %s;", at, at, size, n, at, size)
	g.close()
	g.vars = append(g.vars, variable{name: out, form: form})
}
