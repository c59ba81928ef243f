// Package pty opens pseudo-terminals, for tests and measurements of programs that need one.
package pty
