// Package mask replaces what looks like a secret, and control characters, in text that a coding agent produced.
//
// New uses a small list of our own. NewFull adds gitleaks.jsonl: the rules that the gitleaks project publishes in
// config/gitleaks.toml of version 8.30.1, under the MIT licence (gitleaks.LICENSE), as one JSON object a line. Left out are the
// rules that need a file's path, those without a keyword of three characters, those that our own list covers with less noise
// (generic-api-key, curl-auth-header, curl-auth-user, jwt, jwt-base64, private-key), and sourcegraph-access-token, which
// takes any commit id for a secret. A rule's regular expression is compiled when its keyword is first seen, and runs on
// what surrounds the keyword alone.
//
// What is masked is the value; the name or prefix in front of it stays, so that people see what was there. Quotes, and
// escapes that are whole, stay too: JSON with secrets in it is JSON afterwards.
package mask
