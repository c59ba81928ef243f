// Package mergeoracle merges plans a second time, for tests: from the rules of docs/merge.md and nothing else, slowly, one
// record and one field at a time, and without a line of the program's own reading or merging of plans.
//
// It says what each record of a merged plan must be. Where the rules allow several values (texts that were edited side by side,
// whose words occur more than once) it lists them; where they leave a value open, it says so, and tests count how often.
package mergeoracle
