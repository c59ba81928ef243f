// Package planio is what commands share of the plan: opening it, reading it from where
// the flags say, changing it, reading its history, and hints about what can go wrong.
package planio
