// Package prompt renders the prompts of agents. Each stage, and each step of items that agents do, has an embedded prompt, which the
// repository's file ralph/PROMPT_<name>.md replaces.
//
// A prompt is text with placeholders, such as {{task}}. Load checks them against those of its name, so that a misspelt one is
// found before an agent is started. Render replaces them by values. Placeholders within a value are not replaced (docs/loop.md,
// "Prompts").
package prompt
