package ledger

// pageSize is how many asks share a page. A page lives as long as one of them does, so it is small.
const pageSize = 32

// askTable finds asks by their place in the order of submission, which decisions carry: an index takes a fraction of the
// time of a map of names. Its memory follows the asks that are alive, except 8 bytes a page between the oldest and the latest.
type askTable struct {
	last  uint64 // submission, from 1
	alive int
	first uint64     // number of pages[0]
	pages []*askPage // nil: none of its asks is alive; the first never is
}

type askPage struct {
	asks  [pageSize]*Ask
	alive int
}

// add gives an ask the next place.
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

// at returns the ask of a place, which is alive.
func (t *askTable) at(submission uint64) *Ask {
	return t.pages[submission/pageSize-t.first].asks[submission%pageSize]
}

// remove takes an ask out.
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

// byID indexes the asks that are alive by their names.
func (t *askTable) byID() map[string]*Ask {
	index := make(map[string]*Ask, t.alive)
	for _, page := range t.pages {
		if page == nil {
			continue
		}
		for _, a := range page.asks {
			if a != nil {
				index[a.ID] = a
			}
		}
	}
	return index
}
