// Package historycmd holds the commands that read history: log, show, restore.
package historycmd
