// Package landcmd holds `git ralph land`.
package landcmd
