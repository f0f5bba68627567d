// Package plots draws pictures of fits and of verdicts.
//
// Contract. A function such as Trace takes the draws of a fit and gives a Figure: panels
// that say what is to be seen, in data coordinates, with labelled axes. Rendering is
// done in one place and knows three forms: an SVG file, a PNG file, and SVG panels for a
// page, whose colours are CSS classes so that they follow the page's theme. The same
// figure returns the same bytes. Colours are those of Okabe and Ito, which people with
// any common form of colour blindness can tell apart.
//
// Ownership. Figures hold copies of what they show.
//
// Concurrency. All functions may be called from several goroutines.
package plots
