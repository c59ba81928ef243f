// Package mergecmd holds the commands that git calls, and those around merges:
// merge-driver, textconv, hook, merge-preview, resolve.
package mergecmd
