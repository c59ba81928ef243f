// Package text writes views as lines for terminals.
package text
