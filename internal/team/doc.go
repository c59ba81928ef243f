// Package team runs a roster of workers on one plan: it starts each as a process of its own, starts one that died again, and
// ends when the plan is complete or nobody can go on. It holds no state that matters: the plan, the claims and the branches do,
// so a team that was killed continues where it stopped when it is run again.
package team
