// Package mirror decides how items of the plan and issues at GitHub are kept in step: which item an issue is, what a three-way merge by field makes
// of both, and what an issue is to be sent then. It is pure.
package mirror
