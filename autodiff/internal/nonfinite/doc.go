// Package nonfinite follows infinite numbers and NaN through a graph: of which does it show in the roots?
package nonfinite
