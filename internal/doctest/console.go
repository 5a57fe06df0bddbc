package doctest

import (
	"regexp"
	"strings"
)

// A Command is one line of a console block with the output shown below it.
type Command struct {
	Line   int      // of the prompt, from 1
	Text   string   // what stands after "$ "
	Output string   // as the page shows it, with a newline at its end unless it is empty
	Needs  []string // programs, beside the usual ones, without which it is skipped: "```console needs clang wasm-ld"
	last   int      // the line of the last line of output; Line when there is none
}

// Commands returns the commands in the blocks of a page that are fenced as console, in order.
func Commands(page string) []Command {
	var all []Command
	var needs []string
	inside := false
	for i, line := range strings.Split(page, "\n") {
		switch {
		case !inside:
			needs, inside = fenced(line)
		case line == "```":
			inside = false
		case strings.HasPrefix(line, "$ "):
			all = append(all, Command{Line: i + 1, Text: line[2:], Needs: needs, last: i + 1})
		case len(all) > 0:
			c := &all[len(all)-1]
			c.Output += line + "\n"
			c.last = i + 1
		}
	}
	return all
}

// fenced reports whether a line opens a console block, and which programs the block needs.
func fenced(line string) (needs []string, ok bool) {
	if line == "```console" {
		return nil, true
	}
	list, ok := strings.CutPrefix(line, "```console needs ")
	return strings.Fields(list), ok
}

// A File is a block that a page tells its reader to write to a file: "```c file=cheap/policy.c".
type File struct {
	Line int    // of the fence, from 1
	Name string // from where the page's commands run
	Text string
}

var fileFence = regexp.MustCompile("^```\\w+ file=(\\S+)$")

// Files returns the files that a page holds, in order.
func Files(page string) []File {
	var all []File
	inside := false
	for i, line := range strings.Split(page, "\n") {
		if m := fileFence.FindStringSubmatch(line); !inside && m != nil {
			all, inside = append(all, File{Line: i + 1, Name: m[1]}), true
			continue
		}
		if inside = inside && line != "```"; inside {
			all[len(all)-1].Text += line + "\n"
		}
	}
	return all
}

// Shows reports whether a page's output is what was printed. In what is shown, a line "..." stands for any lines, also
// none, and "..." within a line for any text. Blanks at the ends of lines do not matter.
func Shows(shown, printed string) bool {
	var expr strings.Builder
	expr.WriteString(`\A`)
	for _, line := range lines(shown) {
		if line == "..." {
			expr.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		parts := strings.Split(line, "...")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		expr.WriteString(strings.Join(parts, `[^\n]*`) + `\n`)
	}
	expr.WriteString(`\z`)
	return regexp.MustCompile(expr.String()).MatchString(joined(lines(printed)))
}

// lines splits a text into lines without blanks at their ends; blank lines at its end are left out.
func lines(text string) []string {
	text = strings.TrimRight(text, " \n")
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " \r")
	}
	return all
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// Rewritten returns a page in which a command shows what it printed.
func Rewritten(page string, c Command, printed string) string {
	all := strings.Split(page, "\n")
	out := append([]string{}, all[:c.Line]...)
	out = append(out, lines(printed)...)
	return strings.Join(append(out, all[c.last:]...), "\n")
}
