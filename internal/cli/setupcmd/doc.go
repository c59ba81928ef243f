// Package setupcmd holds the commands that set up a repository and look after it:
// init, install, uninstall, doctor, trust, version.
package setupcmd
