package threshold

import (
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// similar lists the names that a text was probably meant to be, or that it is the beginning of.
func similar(text string, names []string) string {
	var near []string
	search := nearest.For(text)
	for _, name := range names {
		if len(text) > 2 && strings.HasPrefix(name, text) && len(near) < 4 {
			near = append(near, name)
		}
		search.Add(name)
	}
	if found := search.Found(); len(near) == 0 {
		near = found
	}
	return strings.Join(near, ", ")
}
