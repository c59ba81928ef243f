// Package agentcmd holds the commands that connect git ralph with agent programs: agent hook, install, uninstall, list, export.
package agentcmd
