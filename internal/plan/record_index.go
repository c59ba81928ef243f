package plan

// A RecordIndex finds records by their ids. Looking up each one in the plan would take quadratic time.
type RecordIndex struct {
	Records []Record
	at      map[string]int
}

// NewRecordIndex returns the index of records.
func NewRecordIndex(records []Record) RecordIndex {
	in := RecordIndex{records, make(map[string]int, len(records))}
	for i := range records {
		in.at[records[i].ID()] = i
	}
	return in
}

// Find returns the record of an id.
func (in RecordIndex) Find(id string) (r Record, found bool) {
	at, found := in.at[id]
	if found {
		r = in.Records[at]
	}
	return r, found
}
