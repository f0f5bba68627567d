// The catalogue of warnings: one code and wording each. A test holds every code to
// have a program that shows it.

package lint

// A message is an entry of the catalogue: a stable code and a format for the text.
type message struct{ code, text string }

var (
	msgUnused        = message{"unused-variable", "the %s %q is never read"}
	msgUnassigned    = message{"unassigned-variable", "%q is read here and nothing has been assigned to it"}
	msgNeverAssigned = message{"never-assigned", "nothing is assigned to the %s %q"}
	msgImproper      = message{"improper-prior", "the parameter %q has no prior"}
	msgRepeated      = message{"repeated-prior", "%q has stood left of \"~\" or \"|\" before: both terms count"}
	msgOutside       = message{"outside-support", "%q can be %s, where %s has density zero"}
	msgWrongKind     = message{"wrong-constraint", "%s is a distribution of a %s, and %q is declared without that constraint"}
	msgCutOff        = message{"missing-truncation", "the constraint on %q cuts %s off, by a factor that changes with the parameters"}
	msgHardBounds    = message{"hard-bounds", "the parameter %q is confined to (%g, %g)"}
	msgCentred       = message{"non-centred", "%q has a scale that is a parameter itself"}
	msgJacobian      = message{"missing-jacobian", "the left side may be a non-linear function of %s"}
	msgArgument      = message{"argument-range", "the argument %q of %s must be %s, and it can be %s"}
	msgDivision      = message{"integer-division", "this is a division of ints: the remainder is lost"}
	msgBranch        = message{"parameter-branch", "what happens here depends on %s: the density may have jumps or kinks"}
	msgDeprecated    = message{"deprecated-function", "%s is deprecated"}
)
