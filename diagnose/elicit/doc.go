// Package elicit says what priors expect in the units of the data, and chooses their numbers so that it is what somebody expects.
//
// Quantities are simulated from the prior predictive distribution. Their quantiles, and the shares outside ranges that are called plausible,
// are those over all numbers of a quantity in all data sets; standard errors go by data sets, whose numbers depend on each other. What
// a number in a prior does is shown by the quantiles with the number moved, by the same random numbers.
//
// Matching (predictive elicitation; Hartmann, Agiashvili, Bürkner and Klami 2020; Mikkola et al. 2023) minimises the squared
// differences between wanted and simulated quantiles by Levenberg and Marquardt's method from the numbers as they are written, on
// scales without bounds: damping keeps those near that nothing speaks about. Random numbers are the same for all numbers. What was found
// is judged by other ones.
//
// Same seed, same bytes, whatever the number of goroutines.
package elicit
