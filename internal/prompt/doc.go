// Package prompt renders the prompts of agents. There is one prompt a stage, embedded here and replaced by the file
// ralph/PROMPT_<stage>.md of the repository where there is one.
//
// A prompt is text with placeholders, such as {{task}}. Parse checks them against those that the stage has, so that a
// misspelt one is found before an agent is started; Render puts values in their places. A value is never read as a
// prompt: placeholders in it stay as they are (docs/loop.md, "Prompts").
package prompt
