package claim

// merge returns what landing the branch of a claim would make part of the target, as a worker sees it.
func (s stepper) merge(v, t int, tasks [simTasks]simTask, claims [simTasks]int16) (Merge, simWork) {
	c := s.all[claims[t]]
	made := s.works[c.Commit]
	m := Merge{Work: Work{Branch: c.Branch, Commit: c.Commit}}
	for i, u := range []int{t, 1 - t} {
		if i == 0 || made.extra && tasks[u].status == 'p' {
			m.Tasks = append(m.Tasks, Seen{Held: s.held(u, claims[u]), Target: s.target(tasks)})
		}
	}
	return m, made
}

// prepare makes the merge of a branch that is in landing, or claims what it needs for that.
func (s stepper) prepare(v, t int, w simWorker, seen Seen) {
	c := seen.Held.Claim
	if !seen.Held.Exists() || c.State != Landing {
		return
	}
	m, made := s.merge(v, t, s.from.tasks, s.from.claims)
	if int(made.task) != t || s.clones[v] != made.clone && !made.carried {
		return
	}
	refused := s.protocol.Check(m)
	to := *s.from
	if len(refused) == 0 {
		to.workers[v].phase, to.workers[v].task = phaseLanding, int8(t)
		to.workers[v].target, to.workers[v].claims = s.from.tasks, s.from.claims
		s.add(label{int8(v), "prepares the landing of", int8(t), false}, to)
		return
	}
	other := 1 - t
	switch refused[simID(other)] {
	case NotOwn:
		change, refusal := s.protocol.TakeFor(s.seen(s.from, v, other), s.mine(v, other, w), m.Work)
		if refusal == "" {
			to.claims[other] = s.number(change.New)
			to.workers[v].next++
			s.add(label{int8(v), "claims for a branch", int8(other), false}, to)
		}
	case NoBranch:
		change, _ := s.protocol.Return(seen.Held, "another branch")
		to.claims[t] = s.number(change.New)
		s.add(label{int8(v), "returns, as its other task is claimed,", int8(t), false}, to)
	}
}

// land publishes a merge that was prepared.
func (s stepper) land(v int, w simWorker) {
	t := int(w.task)
	m, made := s.merge(v, t, w.target, w.claims)
	movable := s.from.tasks == w.target
	to := *s.from
	to.workers[v] = w.idle()
	batch := s.protocol.Land(Move{Ref: "refs/heads/main"}, []Merge{m})
	current := func(id string) string {
		for u := range simTasks {
			if simID(u) == id {
				return s.objects[s.from.claims[u]]
			}
		}
		return ""
	}
	if s.rules.noSwap {
		current = func(id string) string { return batch.Changes[0].Old }
	}
	for _, outcome := range batch.Outcomes(current, movable) {
		movable = movable && outcome == Done
	}
	if !movable {
		s.add(label{int8(v), "is refused the landing of", w.task, false}, to)
		return
	}
	s.lands(m, made)
	for _, seen := range m.Tasks {
		u := int(seen.Held.ID[2] - '0')
		to.tasks[u].status = 'd'
	}
	for _, c := range batch.Changes {
		to.claims[c.ID[2]-'0'] = 0
	}
	s.add(label{int8(v), "lands", w.task, false}, to)
	s.conflict(v, t, w, m)
}

// lands checks that a landing takes nothing from anybody.
func (s stepper) lands(m Merge, made simWork) {
	for i, seen := range m.Tasks {
		u := int(seen.Held.ID[2] - '0')
		c := s.all[s.from.claims[u]]
		exists := s.from.claims[u] != 0
		switch {
		case s.from.tasks[u].status != 'p':
			fail("(a) lands t%d, which the target shows as %c", u, s.from.tasks[u].status)
		case i == 0 && made.attempt != s.from.tasks[u].attempt:
			fail("(a2) lands t%d of attempt %d, rejected meanwhile", u, made.attempt)
		case i == 0 && s.from.taken&(1<<made.token) != 0:
			fail("(b) lands t%d though its claim was taken", u)
		case exists && c.State == Working:
			fail("(b) lands t%d while w%d works on it", u, owner(tokenOf(c)))
		case exists && i == 0 && tokenOf(c) != made.token, exists && i > 0 && c.Branch != m.Work.Branch:
			fail("(b) lands t%d while w%d holds its claim", u, owner(tokenOf(c)))
		}
	}
}

// conflict returns a branch instead.
func (s stepper) conflict(v, t int, w simWorker, m Merge) {
	to, ok := s.allowed(faultConflict)
	if !ok || s.from.claims != w.claims {
		return
	}
	to.workers[v] = w.idle()
	for u := range simTasks {
		if h := s.held(u, s.from.claims[u]); h.Exists() && h.Claim.State == Landing && h.Claim.Branch == m.Work.Branch {
			change, _ := s.protocol.Return(h, "conflict")
			to.claims[u] = s.number(change.New)
		}
	}
	s.add(label{int8(v), "returns", int8(t), true}, to)
}

// people is what a validator, a person at the target and a forge do.
func (s stepper) people() {
	for t := range simTasks {
		task := s.from.tasks[t]
		if task.status == 'd' {
			to := *s.from
			to.tasks[t].status = 'a'
			s.add(label{-1, "accepts", int8(t), false}, to)
			if to, ok := s.allowed(faultReject); ok {
				to.tasks[t] = simTask{'p', task.attempt + 1}
				s.add(label{-1, "rejects", int8(t), true}, to)
			}
		}
		if task.status == 's' {
			to := *s.from
			to.tasks[t].status = 'p'
			s.add(label{-1, "closes the issue of", int8(t), false}, to)
		}
		if task.status == 'p' {
			s.person(t)
			s.forge(t)
		}
	}
	if s.from.person == 0 {
		return
	}
	t := int(s.from.person) - 1
	to := *s.from
	to.person, to.how = 0, 0
	change := Change{ID: simID(t), Do: Verify}
	current := func(string) string { return s.objects[s.from.claims[t]] }
	free := Batch{Changes: []Change{change}, Atomic: true}.Outcomes(current, true)[0] == Done
	if s.from.tasks[t].status == 'p' && (free || s.rules.noVerify) {
		if !free {
			s.robs(s.from, t, "as a person ends the task unseen")
		}
		to.tasks[t].status = s.from.how
		s.add(label{-1, "(a person) commits the end of", int8(t), false}, to)
		return
	}
	s.add(label{-1, "(a person) is refused", int8(t), false}, to)
}

// person ends a task on the target by hand.
func (s stepper) person(t int) {
	for f, how := range [faults]byte{faultCancel: 'x', faultDone: 'd'} {
		if how == 0 {
			continue
		}
		to, ok := s.allowed(fault(f))
		if !ok || s.from.person != 0 {
			continue
		}
		if s.from.claims[t] == 0 {
			to.person, to.how = int8(t+1), how
			s.add(label{-1, "(a person) sees no claim of", int8(t), true}, to)
			continue
		}
		to.claims[t], to.tasks[t].status = 0, how
		s.add(label{-1, "(a person) ends task and claim of", int8(t), true}, to)
	}
}

// forge merges the branch of a claim in landing as a squash: the task is done, and the claim stays.
func (s stepper) forge(t int) {
	to, ok := s.allowed(faultForge)
	h := s.held(t, s.from.claims[t])
	if ok && h.Exists() && h.Claim.State == Landing && s.target(s.from.tasks).Round(h.Claim) {
		to.tasks[t].status = 'd'
		s.add(label{-1, "(a forge) squashes", int8(t), true}, to)
	}
}
