// Package historytest draws repositories whose plan has a history, for tests: as
// streams for `git fast-import`, so that hundreds of them are affordable.
//
// A repository is drawn by letting a few people work on branches: adding tasks,
// doing, rejecting and accepting them, with the program or by hand; merging in
// every way there is, squashing, picking, reverting, rewriting; moving, deleting
// and breaking the plan. Clocks go wrong. The ids of objects are computed here,
// so that plans can name commits.
package historytest
