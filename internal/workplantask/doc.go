// Package workplantask connects tasks of the plan with the task blocks of workplans that they came from. A task names its block in the
// field "workplan", as "<path>#<id>". The file is authoritative: what its blocks say enters the plan with the next mutation.
package workplantask
