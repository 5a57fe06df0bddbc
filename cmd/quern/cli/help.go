package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/format"
)

// helpWidth is the width of help where nothing tells another one.
const helpWidth = 80

// FoldHelp folds the help of a command, and of those below it, to a number of columns.
func FoldHelp(c *cobra.Command, width int) {
	if width == 0 {
		width = helpWidth
	}
	c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), "Flags.FlagUsages ", fmt.Sprintf("Flags.FlagUsagesWrapped %d ", width)))
	foldText(c, width)
}

func foldText(c *cobra.Command, width int) {
	c.Long = folded(c.Long, width)
	for _, below := range c.Commands() {
		foldText(below, width)
	}
}

// folded fills the paragraphs of a text again, to lines of at most a number of columns. Indented lines stay.
func folded(text string, width int) string {
	var lines []string
	var words []string
	flush := func() {
		if len(words) > 0 {
			lines = append(lines, format.Wrap(strings.Join(words, " "), width))
		}
		words = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			flush()
			lines = append(lines, line)
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	flush()
	return strings.Join(lines, "\n")
}
