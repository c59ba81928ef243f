package claim

import (
	"encoding/binary"
	"strings"
)

// texts and numbers are all members of a claim, in the order of its compact form.
func (c *Claim) texts() [18]*string {
	return [...]*string{
		&c.ID, &c.Token, (*string)(&c.State), &c.After, &c.Worker, &c.Role, &c.By, &c.Host, &c.Boot, &c.Lock, &c.Run, &c.Into, &c.Base,
		&c.Branch, &c.Commit, &c.At, &c.Feedback, &c.text,
	}
}

func (c *Claim) numbers() [4]*int { return [...]*int{&c.Lease, &c.Renewals, &c.Steals, &c.Returns} }

// AppendCompact adds the compact form of a claim that was read: it is for caches, which need not look for anything in it. The text
// that was read goes in only where the other members do not give it again.
func (c Claim) AppendCompact(data []byte) []byte {
	known := c
	if known.text = ""; known.Text() == strings.TrimSpace(c.text)+"\n" {
		c = known
	}
	for _, text := range c.texts() {
		data = binary.AppendUvarint(data, uint64(len(*text)))
		data = append(data, *text...)
	}
	for _, n := range c.numbers() {
		data = binary.AppendUvarint(data, uint64(*n))
	}
	return data
}

// CutCompact sets a claim to the one that compact data begins with, and returns what is behind it. Its texts share the memory of data.
func (c *Claim) CutCompact(data string) (rest string, ok bool) {
	var n uint64
	for _, text := range c.texts() {
		if n, data, ok = cutUvarint(data); !ok || n > uint64(len(data)) {
			return data, false
		}
		*text, data = data[:n], data[n:]
	}
	for _, number := range c.numbers() {
		if n, data, ok = cutUvarint(data); !ok || n > 1<<31-1 {
			return data, false
		}
		*number = int(n)
	}
	return data, isID(c.ID) && IsToken(c.Token)
}

// cutUvarint is binary.Uvarint for a string.
func cutUvarint(data string) (n uint64, rest string, ok bool) {
	for i := 0; i < len(data) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(data[i]&0x7f) << (7 * i)
		if data[i] < 0x80 {
			return n, data[i+1:], true
		}
	}
	return 0, data, false
}
