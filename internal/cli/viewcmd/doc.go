// Package viewcmd has the commands that show views without a screen of their own: as pictures, text, diagrams and files.
package viewcmd
