package journal

import (
	"bytes"

	"github.com/quern-project/quern/core/resource"
)

// Limits of a pool. It is emptied when it reaches them, and longer texts are not pooled.
const (
	pooledTexts  = 4096
	pooledSets   = 1024
	pooledLength = 256
)

// pool reuses values that lines repeat: names, and sets by the text of their object. It only saves memory and time: what it returns
// equals a new value.
type pool struct {
	texts   map[string]string
	sets    map[string]resource.Set
	lastApp string // asks of an application are often in a row
}

func newPool() pool {
	return pool{texts: map[string]string{}, sets: map[string]resource.Set{}}
}

func (p *pool) text(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if kept, ok := p.texts[string(text)]; ok {
		return kept
	}
	made := string(text)
	if len(text) <= pooledLength {
		if len(p.texts) >= pooledTexts {
			clear(p.texts)
		}
		p.texts[made] = made
	}
	return made
}

func (p *pool) app(id []byte) string {
	if p.lastApp != string(id) {
		p.lastApp = string(id)
	}
	return p.lastApp
}

// set returns the set for the object at the start of text and the object's length, or 0 if it is not in the pool. If the text up to the
// first closing brace equals a pooled object, it is that object, since pooled objects contain no other closing brace.
func (p *pool) set(text []byte) (resource.Set, int) {
	size := bytes.IndexByte(text, '}') + 1
	if size == 0 || size > pooledLength {
		return nil, 0
	}
	set, ok := p.sets[string(text[:size])]
	if !ok {
		return nil, 0
	}
	return set, size
}

// keep adds a set by the text of its object, unless the text is long or has a brace in a string.
func (p *pool) keep(object []byte, set resource.Set) {
	if len(object) > pooledLength || bytes.IndexByte(object, '}') != len(object)-1 {
		return
	}
	if len(p.sets) >= pooledSets {
		clear(p.sets)
	}
	p.sets[string(object)] = set
}
