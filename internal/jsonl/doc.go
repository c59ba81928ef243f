// Package jsonl reads and writes JSON objects, one a line, without losing a
// byte.
//
// An Object keeps its text as it stood: member order, the spelling of numbers
// and names, escapes and white space. Reading only records where each member
// begins and ends; nothing is decoded until it is needed. Writing a changed
// object copies the bytes of every member that did not change.
//
// The package is stricter than encoding/json, which accepts duplicate member
// names and replaces invalid UTF-8 in silence: both are errors here. It is
// also the reason why it does not use encoding/json: an untouched plan of
// 10,000 lines is read in about two milliseconds, without an allocation a
// line.
package jsonl
