// Package planprint prints a plan as text and as JSON: its state, its records, and the
// differences between two plans.
package planprint
