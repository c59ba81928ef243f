package mask

import (
	"git-ralph/internal/jsonl"
)

// Object returns an object without secrets and control characters in its strings; the same where it has none.
func (m *Masker) Object(o jsonl.Object) jsonl.Object {
	if masked, err := jsonl.ParseObject(string(m.Stream().Line([]byte(o.Text())))); err == nil { // names say what is secret
		o = masked
	}
	members, changed := o.Members(), false
	for i := range members {
		if value := m.value(members[i].Value); value != members[i].Value {
			members[i].Value, changed = value, true
		}
	}
	if !changed {
		return o
	}
	return jsonl.Build(members)
}

func (m *Masker) value(v jsonl.Value) jsonl.Value {
	switch v.Kind() {
	case jsonl.String:
		text, _ := v.Str()
		if masked := m.Text(text); masked != text {
			return jsonl.Quote(masked)
		}
	case jsonl.Array:
		return m.array(v)
	case jsonl.Map:
		return jsonl.Value(m.Object(v.Object()).Text())
	}
	return v
}

func (m *Masker) array(v jsonl.Value) jsonl.Value {
	elements, _ := v.Elements()
	text, changed := "[", false
	for i, e := range elements {
		masked := m.value(e)
		changed = changed || masked != e
		if i > 0 {
			text += ", "
		}
		text += string(masked)
	}
	if !changed {
		return v
	}
	return jsonl.Value(text + "]")
}
