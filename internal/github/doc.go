// Package github finds out which repository at GitHub, if any, the items of a plan belong to. It connects to nothing: package api does.
package github
