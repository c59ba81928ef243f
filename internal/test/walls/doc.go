// Package walls holds no code, only the tests of how the code is built: which package may import which, what
// stays out of the pure packages, how long a function may grow, and what the program links and initialises before
// it does any work. The reasons are in docs/architecture.md. A new package gets its line in the table of layers_test.go.
package walls
