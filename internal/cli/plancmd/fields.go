package plancmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// members are fields of a record that a command line sets. A zero value clears
// its field.
type members []jsonl.Member

// set appends a field with a text; an empty text clears the field.
func (m *members) set(name, text string) {
	member := jsonl.Member{Name: name}
	if text != "" {
		member.Value = jsonl.Quote(text)
	}
	*m = append(*m, member)
}

func (m *members) setList(name string, texts []string) {
	member := jsonl.Member{Name: name}
	if len(texts) > 0 {
		member.Value = jsonl.List(texts)
	}
	*m = append(*m, member)
}

// setChecks sets the command lines that prove a task: one as a text, several as a list.
func (m *members) setChecks(lines []string) {
	lines = slices.DeleteFunc(slices.Clone(lines), cmdline.IsBlank)
	if len(lines) > 1 {
		m.setList("check", lines)
		return
	}
	m.set("check", strings.Join(lines, ""))
}

// object makes a JSON object of the fields that are not cleared.
func (m members) object() jsonl.Object {
	return jsonl.Build(slices.DeleteFunc(slices.Clone(m), func(f jsonl.Member) bool { return f.Value == "" }))
}

// fillIn returns an object with these fields added where it lacks them or
// holds null. Members of "meta" are filled in one by one.
func (m members) fillIn(o jsonl.Object) jsonl.Object {
	all := members(o.Members())
	for _, f := range m {
		at := slices.IndexFunc(all, func(own jsonl.Member) bool { return own.Name == f.Name })
		switch {
		case f.Value == "":
		case at < 0:
			all = append(all, f)
		case all[at].Value.Kind() == jsonl.Null:
			all[at].Value = f.Value
		case f.Name == "meta" && all[at].Value.Kind() == jsonl.Map:
			all[at].Value = merged(all[at].Value, f.Value)
		}
	}
	return jsonl.Build(all)
}

// applyTo returns an object with these fields set or cleared.
func (m members) applyTo(o jsonl.Object) jsonl.Object {
	all := members(o.Members())
	for _, f := range m {
		if at := slices.IndexFunc(all, func(own jsonl.Member) bool { return own.Name == f.Name }); at >= 0 {
			all[at].Value = f.Value
		} else {
			all = append(all, f)
		}
	}
	return all.object()
}

// merged returns the object own, with the members that it lacks taken from more.
func merged(own, more jsonl.Value) jsonl.Value {
	object, _ := jsonl.ParseObject(string(own))
	rest, _ := jsonl.ParseObject(string(more))
	all := object.Members()
	for _, m := range rest.Members() {
		if _, found := object.Get(m.Name); !found {
			all = append(all, m)
		}
	}
	return jsonl.Value(jsonl.Build(all).Text())
}

// A textField is a field of a record that a flag of its own sets.
type textField struct {
	flag, field, usage string
	required           bool // it cannot be cleared
	values             cmdline.Values
}

// taskTexts are the fields of tasks that hold text, in the order of the format.
func taskTexts() []textField {
	return []textField{
		{"spec", "spec", "the spec `FILE` that it belongs to", true, planio.Specs},
		{"name", "name", "what to do, in a few words: `TEXT`", true, nil},
		{"notes", "notes", "how to do it: `TEXT`", false, nil},
		{"accept", "accept", "how to verify it: `TEXT`", false, nil},
		{"priority", "priority", "`LEVEL`: high, medium or low", false, cmdline.OneOf(plan.Priorities()...)},
		{"parent", "parent", "the task `ID` that it was decomposed from", false, planio.TaskIDs()},
		{"created-from", "created_from", "the issue `ID` that it was created from", false, planio.IssueIDs()},
		{"supersedes", "supersedes", "the task `ID` that it replaces", false, planio.TaskIDs()},
		{"role", "role", "who is to do it: `TEXT`", false, planio.FieldTexts(func(r plan.Record) []string { return []string{r.Text("role")} })},
	}
}

// textFlags returns a flag for each field.
func textFlags(fields []textField) []cli.Flag {
	flags := make([]cli.Flag, len(fields))
	for i, f := range fields {
		flags[i] = cmdline.Completes(&cli.StringFlag{Name: f.flag, Usage: f.usage}, f.values)
	}
	return flags
}

// editTextFlags are textFlags of a command that edits: an empty value clears a field.
func editTextFlags(fields []textField) []cli.Flag {
	flags := textFlags(fields)
	for i, f := range fields {
		if !f.required {
			flags[i] = cmdline.MayBeEmpty(flags[i])
		}
	}
	return flags
}

// labels offers the labels that records have.
func labels() cmdline.Values {
	return planio.FieldTexts(func(r plan.Record) []string { return r.Texts("labels") })
}

// anyIDs offers the ids of tasks and issues.
func anyIDs() cmdline.Values { return cmdline.Either(planio.TaskIDs(), planio.IssueIDs()) }

// doneIDs offers the ids of done tasks.
func doneIDs() cmdline.Values {
	return planio.RecordIDs(func(v planio.View) []*plan.Record { return v.Done() })
}

// textsFrom reads the flags of textFlags that were given. A value that is invalid
// in such a record, whatever the plan holds, is a usage error.
func textsFrom(c *cli.Context, kind plan.Kind, fields []textField) (members, error) {
	var m members
	for _, f := range fields {
		if c.IsSet(f.flag) {
			m.set(f.field, strings.TrimSpace(c.String(f.flag)))
		}
	}
	for _, field := range m.object().Members() {
		if err := plan.CheckField(kind, field); err != nil {
			return nil, cmdline.Usage(c, "%v", err)
		}
	}
	return m, nil
}

// areBlank reports whether all arguments are blank.
func areBlank(args []string) bool { return cmdline.IsBlank(strings.Join(args, "")) }

func metaFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "meta", Usage: "set `KEY=VALUE` in \"meta\"; may be repeated"}
}

// metaFrom reads the flag of metaFlag. An empty value removes its key.
func metaFrom(c *cli.Context) (members, error) {
	var m members
	for _, pair := range c.StringSlice("meta") {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" {
			return nil, cmdline.Usage(c, "invalid --meta %q: want KEY=VALUE", pair)
		}
		m = slices.DeleteFunc(m, func(f jsonl.Member) bool { return f.Name == key })
		m.set(key, value)
	}
	return m, nil
}

// setMeta sets "meta" to the values of metaFrom, where there are any.
func (m *members) setMeta(meta members) {
	if object := meta.object(); object.Len() > 0 {
		*m = append(*m, jsonl.Member{Name: "meta", Value: jsonl.Value(object.Text())})
	}
}

// idsFrom reads a flag that holds ids. It may be repeated, and one value may
// hold several with commas between them.
func idsFrom(c *cli.Context, flag string) []string {
	var ids []string
	for _, value := range c.StringSlice(flag) {
		ids = append(ids, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return ids
}

// has reports whether a field is set or cleared.
func (m members) has(name string) bool {
	return slices.ContainsFunc(m, func(f jsonl.Member) bool { return f.Name == name })
}
