// Package workplancmd holds the commands about workplans: Markdown files whose task blocks are worked off.
package workplancmd
