// Package remote reads the issues of a repository at GitHub, and sends them what package mirror decided.
package remote
