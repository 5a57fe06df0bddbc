package ledger

// pageSize is the number of asks of a page. It is small, since a page stays in memory as long as one of its asks is alive.
const pageSize = 32

// askTable finds asks by their position in the order of submission, which decisions carry. An index is several times faster than a map
// of names. Its memory is proportional to the number of live asks, plus 8 bytes for each page between the oldest and the latest one.
type askTable struct {
	last  uint64 // position of the last ask, from 1
	alive int
	first uint64     // number of pages[0]
	pages []*askPage // nil if none of its asks is alive; the first is never nil
}

type askPage struct {
	asks  [pageSize]*Ask
	alive int
}

// add gives an ask the next position.
func (t *askTable) add(a *Ask) {
	t.last++
	a.submission = t.last
	if len(t.pages) == 0 {
		t.first = t.last / pageSize
	}
	for t.first+uint64(len(t.pages)) <= t.last/pageSize {
		t.pages = append(t.pages, nil)
	}
	page := &t.pages[len(t.pages)-1]
	if *page == nil {
		*page = new(askPage)
	}
	(*page).asks[t.last%pageSize] = a
	(*page).alive++
	t.alive++
}

// at returns the ask with a position. It must be alive.
func (t *askTable) at(submission uint64) *Ask {
	return t.pages[submission/pageSize-t.first].asks[submission%pageSize]
}

// remove removes an ask.
func (t *askTable) remove(a *Ask) {
	i := a.submission/pageSize - t.first
	page := t.pages[i]
	page.asks[a.submission%pageSize] = nil
	t.alive--
	if page.alive--; page.alive > 0 {
		return
	}
	t.pages[i] = nil
	for len(t.pages) > 0 && t.pages[0] == nil {
		t.pages = t.pages[1:]
		t.first++
	}
}

// byID returns a map of the live asks by ID.
func (t *askTable) byID() map[string]*Ask {
	index := make(map[string]*Ask, t.alive)
	for a := range t.all {
		index[a.ID] = a
	}
	return index
}

// all yields the live asks in order of submission.
func (t *askTable) all(yield func(*Ask) bool) {
	for _, page := range t.pages {
		if page == nil {
			continue
		}
		for _, a := range page.asks {
			if a != nil && !yield(a) {
				return
			}
		}
	}
}
