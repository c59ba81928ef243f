// Package trustprompt shows a person what a repository has for agents, and asks
// whether it is trusted.
package trustprompt
