// Package jsonc finds where things are in a JSON file of settings, which may have comments and trailing commas, and edits it in
// place: whatever is not edited stays byte for byte.
package jsonc
