// The package's names, each of which an internal package defines.

package autodiff

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/demand"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/nonfinite"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/internal/symbolic"
)

// Graphs: package graph.
type (
	// A Graph is a program under construction.
	Graph = graph.Graph
	// A Node names a value of a Graph: a vector of fixed length.
	Node = graph.Node
	// A Ref names one element of a node.
	Ref = graph.Ref
	// An Op is a real function of one to three real numbers, applied elementwise.
	Op = graph.Op
	// An Opaque is a function of whole vectors with its own reverse rule.
	Opaque = graph.Opaque
	// An Instance is the state of an Opaque in one machine.
	Instance = graph.Instance
	// A Share is what one owner has of a graph that is divided.
	Share = graph.Share
	// A Makeup says how a graph computes what it computes.
	Makeup = graph.Makeup
	// A Dependence knows on which elements of the input each number depends.
	Dependence = graph.Dependence
	// A Substitution makes nodes of one graph again in another one.
	Substitution = graph.Substitution
	// A Slicer makes nodes of one graph again in another one, with some rows of n.
	Slicer = graph.Slicer
	// Rows says where the numbers of rows are in a node.
	Rows = graph.Rows
	// An Optimisation is something that is done only because programs are faster with it.
	Optimisation = graph.Optimisation
)

// None is the absence of a node.
const None = graph.None

// The core operations, which the machine runs without a function call.
var (
	Add      = graph.Add
	Sub      = graph.Sub
	Mul      = graph.Mul
	Div      = graph.Div
	Shift    = graph.Shift
	Neg      = graph.Neg
	Inv      = graph.Inv
	Square   = graph.Square
	Sqrt     = graph.Sqrt
	Exp      = graph.Exp
	Log      = graph.Log
	Log1p    = graph.Log1p
	Log1pExp = graph.Log1pExp
	InvLogit = graph.InvLogit

	More       = graph.More
	AtLeast    = graph.AtLeast
	PickBySign = graph.PickBySign
)

// NewGraph makes a graph with one input vector of length dim.
func NewGraph(dim int) *Graph { return graph.NewGraph(dim) }

// Optimisations lists what Graph.Disable can switch off.
func Optimisations() []Optimisation { return graph.Optimisations() }

// NewSubstitution begins a substitution of input, a node of the graph to, for the input of the
// graph from, which is as long.
func NewSubstitution(from, to *Graph, input Node) *Substitution {
	return graph.NewSubstitution(from, to, input)
}

// NewSlicer begins to make nodes of a graph again in another one without runtime constants, whose
// input begins with that of the first: size rows of n.
func NewSlicer(from, to *Graph, n, size int) *Slicer { return graph.NewSlicer(from, to, n, size) }

// Loops: package loop.
type (
	// A Loop consists of iterations, which may be of several variants.
	Loop = loop.Loop
	// A LoopBody is what the iterations of one variant do.
	LoopBody = loop.LoopBody
	// A Place is where a number of a graph is that a check looks at.
	Place = loop.Place
)

// PlaceAt is the place of a node.
func PlaceAt(x Node) Place { return loop.At(x) }

// MaxVariants is the greatest number of variants of a loop.
const MaxVariants = loop.MaxVariants

// NewLoop begins the recording of a loop of n iterations, of which there must be two at least.
func NewLoop(g *Graph, n int) *Loop { return loop.NewLoop(g, n) }

// Gradient appends the nodes that compute the derivative of y, a node of length 1, with respect to the
// input, and returns the node that holds it, of the input's length.
func Gradient(g *Graph, y Node) Node { return grad.Gradient(g, y) }

// Vectorize makes the passes that come before derivatives: it returns an equal graph in which single
// operations have become operations on vectors, and the nodes in place of the roots.
func Vectorize(g *Graph, roots []Node) (*Graph, []Node) { return opt.Vectorize(g, roots) }

// Compile makes the program that computes the roots, after the passes before code generation. Checks and
// Guards are run if they are among effects; they have no value.
func Compile(g *Graph, roots, effects []Node) *Program { return opt.Compile(g, roots, effects) }

// Programs: package codegen.
type (
	// A Program is an executable form of a graph; it is immutable and may be shared.
	Program = codegen.Program
	// A Machine runs a Program in an arena of its own. It belongs to one goroutine.
	Machine = codegen.Machine
	// A CheckError says that a domain check failed.
	CheckError = codegen.CheckError
)

// ErrGuard reports that a program does not apply at the given point: a comparison or
// integer that was fixed when the program was recorded has another value there.
var ErrGuard = codegen.ErrGuard

// A LaneMachine runs a program at up to Lanes points in one pass.
type LaneMachine = batch.LaneMachine

// Lanes is the number of points that a LaneMachine evaluates in one pass.
const Lanes = batch.Lanes

// NewLaneMachine makes a machine for several points; nil where the program has none: it
// has no machine code, or is so long that several arenas do not fit the processor's cache. The
// first call for a program compiles what all such machines of it share.
func NewLaneMachine(p *Program) *LaneMachine { return batch.NewLaneMachine(p) }

// LanesPay reports whether NewLaneMachine is worth its time: enough points were evaluated
// together so far, to which it adds n, and the program is one that gains by it where so
// many are.
func LanesPay(p *Program, n, enough int) bool { return batch.LanesPay(p, n, enough) }

// LanesSave is how many machine operations at a point are saved where n are evaluated in
// one pass, of at most Lanes.
func LanesSave(p *Program, n int) int { return batch.LanesSave(p, n) }

// Evaluation on demand: package demand.
type (
	// A DemandEval evaluates some elements of one node of a graph and the gradient of their sum.
	DemandEval = demand.DemandEval
	// A DemandState is the state of a DemandEval in one goroutine.
	DemandState = demand.DemandState
	// A PerOutput function has outputs each of which depends on few numbers of the inputs.
	PerOutput = demand.PerOutput
	// A PerOutputState is a PerOutput function at work in one machine.
	PerOutputState = demand.PerOutputState
)

// NewDemandEval prepares a node for evaluation by element. The error says that the node is
// made from what has no elements of its own to compute, such as a gradient.
func NewDemandEval(g *Graph, root Node) (*DemandEval, error) { return demand.NewDemandEval(g, root) }

// The flow of numbers that are not finite: package nonfinite.
type (
	// A NonFiniteFlow knows of numbers of a graph whether it shows when they are not finite.
	NonFiniteFlow = nonfinite.NonFiniteFlow
	// A RootTest says what of the roots' numbers is looked at after a run.
	RootTest = nonfinite.RootTest
)

// What is looked at in roots.
const (
	RootsUntested           = nonfinite.RootsUntested
	RootsTestedForNaN       = nonfinite.RootsTestedForNaN
	RootsTestedForNonFinite = nonfinite.RootsTestedForNonFinite
)

// NewNonFiniteFlow looks from the roots and from effects.
func NewNonFiniteFlow(g *Graph, roots, effects []Node, look RootTest) *NonFiniteFlow {
	return nonfinite.NewNonFiniteFlow(g, roots, effects, look)
}

// Polynomials: package symbolic.
type (
	// A Polynomial is a sum of terms with different products.
	Polynomial = symbolic.Polynomial
	// A Term is a coefficient times one of a Polynomial's products.
	Term = symbolic.Term
	// A Root is what is multiplied out: a node of length 1, or factors.
	Root = symbolic.Root
	// A Power is an atom, by its position among a Polynomial's atoms, with an exponent.
	Power = symbolic.Power
	// Monomials are products of powers by number.
	Monomials = symbolic.Monomials
	// An Atom is a number that the terms of a Polynomial are products of powers of.
	Atom = symbolic.Atom
	// An AtomKind says what an atom is.
	AtomKind = symbolic.AtomKind
	// A Domain says what is known of the elements of the input.
	Domain = symbolic.Domain
)

// NewPolynomial multiplies out the sum of roots. Terms of up to work products of two terms are
// looked at, and some more for each entry of a factor; ok is false where that is not enough. Nodes may be added
// to the graph.
func NewPolynomial(g *Graph, roots []Root, domain Domain, work int) (p *Polynomial, ok bool) {
	return symbolic.NewPolynomial(g, roots, domain, work)
}

// The kinds of atoms.
const (
	Element       = symbolic.Element
	Complement    = symbolic.Complement
	LogElement    = symbolic.LogElement
	LogComplement = symbolic.LogComplement
	Other         = symbolic.Other
)
