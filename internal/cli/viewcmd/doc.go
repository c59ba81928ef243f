// Package viewcmd has the commands that print views as files: export and report.
package viewcmd
