package planio

// QueryExits is the help section on the exit codes of queries.
const QueryExits = `
EXIT STATUS
  0  done
  1  there is no repository, commit or file of that name
  2  the command line is wrong
  5  the plan is not valid; one in which only ids are used twice is shown
`

// MutationExits is the help section on the exit codes of mutations.
const MutationExits = `
EXIT STATUS
  0  done
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  3  there was nothing to do
  4  another process is changing the plan, or somebody else has claimed the task
  5  the plan is not valid; nothing was changed
`
