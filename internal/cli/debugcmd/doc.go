// Package debugcmd has `git ralph debug`: issues and statistics of what the debug log recorded.
package debugcmd
