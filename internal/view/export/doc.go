// Package export writes what views show as files for other programs: Markdown, CSV and iCalendar. Texts in a plan may come from
// strangers, so none of them can add a column, a formula, a link, an element of HTML or a line to a file.
package export
