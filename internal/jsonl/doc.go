// Package jsonl reads and writes JSON objects, one per line, without losing a
// byte.
//
// An Object keeps its text as it was read: member order, the spelling of
// numbers and names, escapes and white space. Reading only records where each
// member begins and ends; nothing is decoded until it is needed. Writing a
// changed object copies the bytes of every member that did not change.
//
// The package does not use encoding/json, which accepts duplicate member names
// and silently replaces invalid UTF-8: both are errors here. It is also much
// faster: a plan of 10,000 lines is read in about two milliseconds, without an
// allocation per line.
package jsonl
