// Package plandiff finds what differs between two plans: record by record and
// field by field, prose as a word diff.
//
// Compare gives the differences as data. Textconv gives one plan in a form that
// line-wise tools compare well, for git's textconv. Both match records by
// identity, so a line that only moved is no difference, and a record that is
// only spelled differently is reported as that. The caller shows the result to
// people.
package plandiff
