// Package evidencecmd has the commands that prove what tasks claim: verify.
package evidencecmd
