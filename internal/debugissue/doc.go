// Package debugissue makes issues of the plan of what failed according to the debug log, one for each signature.
package debugissue
