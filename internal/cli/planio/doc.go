// Package planio opens the plan, reads it from where the flags say, changes it and reads its
// history for all commands, and has the hints about errors.
package planio
