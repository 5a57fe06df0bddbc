package plainenglish

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// codes are verdicts of the interface, which never change.
var codes = regexp.MustCompile(`(preempts|needs)-nobody`)

// anyTurn matches every banned turn: one look at a text is enough where there is none.
var anyTurn = func() *regexp.Regexp {
	phrases := make([]string, 0, len(banned))
	for _, t := range banned {
		phrases = append(phrases, t.phrase.String())
	}
	return regexp.MustCompile(strings.Join(phrases, "|"))
}()

// A find is a banned turn and the line that it begins in.
type find struct {
	line int
	turn turn
	text string
}

// search returns what is banned in a text whose first line has the number given.
func search(text string, first int) []find {
	var all []find
	if text = codes.ReplaceAllString(text, ""); !anyTurn.MatchString(text) {
		return nil
	}
	for _, t := range banned {
		for _, at := range t.phrase.FindAllStringIndex(text, -1) {
			all = append(all, find{first + strings.Count(text[:at[0]], "\n"), t, text[at[0]:at[1]]})
		}
	}
	return all
}

func report(t *testing.T, file string, finds []find) {
	t.Helper()
	for _, f := range finds {
		t.Errorf("%s:%d: %q: write %s", file, f.line, f.text, f.turn.better)
	}
}

// prose blanks what a page quotes: code, and what programs print. Lines keep their numbers.
func prose(page string) string {
	lines := strings.Split(page, "\n")
	fenced := false
	for i, line := range lines {
		mark := strings.HasPrefix(strings.TrimSpace(line), "```")
		if mark {
			fenced = !fenced
		}
		if mark || fenced {
			lines[i] = ""
			continue
		}
		lines[i] = unquoted(line)
	}
	return strings.Join(lines, "\n")
}

// unquoted returns a line without what stands between back-quotes.
func unquoted(line string) string {
	parts := strings.Split(line, "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = ""
	}
	return strings.Join(parts, "`")
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheDocumentsHaveNoBannedTurns(t *testing.T) {
	pages := 0
	for _, place := range []string{"docs", "plugins", "sdk", "wasm", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RATIONALE.md"} {
		walk(t, place, func(name string) {
			switch filepath.Ext(name) {
			case ".md":
				pages++
				report(t, name, search(prose(read(t, name)), 1))
			case ".yaml", ".yml", ".service":
				report(t, name, search(read(t, name), 1))
			}
		})
	}
	if pages < 60 {
		t.Fatalf("found %d pages, expected at least 60", pages)
	}
}

// walk calls back for each file of a folder, or for the one file, that people write and read.
func walk(t *testing.T, place string, each func(name string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, place), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || entry.Name() == "dist"):
			return filepath.SkipDir
		case !entry.IsDir():
			each(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestProgramsHaveNoBannedTurnsInTextsAndComments(t *testing.T) {
	files := 0
	for _, folder := range []string{"cmd", "core", "features", "host", "internal/cmd", "sdk", "tools", "wasm"} {
		walk(t, folder, func(name string) {
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, ".pb.go") {
				files++
				report(t, name, inGo(t, name))
			}
		})
	}
	if files < 300 {
		t.Fatalf("found %d files of Go, expected at least 300", files)
	}
}

// inGo returns the banned turns in the strings and the comments of a Go file.
func inGo(t *testing.T, name string) []find {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []find
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, search(text, set.Position(lit.Pos()).Line)...)
		return true
	})
	for _, group := range file.Comments {
		var lines []string
		for _, comment := range group.List {
			lines = append(lines, strings.TrimPrefix(comment.Text, "//"))
		}
		all = append(all, search(prose(strings.Join(lines, "\n")), set.Position(group.Pos()).Line)...)
	}
	return all
}

// scriptComment is a comment of TypeScript or JavaScript.
var scriptComment = regexp.MustCompile(`(?s)/\*.*?\*/|(^|\s)//[^\n]*`)

// scriptText is what a reader of the page sees in its code: strings, and text beside tags and expressions. Names in code may
// be any words, so text behind an expression is none if it has signs of code.
var scriptText = regexp.MustCompile("(?s)\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`|>[^<>{}`\"]+[<{]|\\}[^<>{}=();`\"]+[<{]")

// shown blanks all of a script but its texts, commented all but its comments. Lines keep their numbers.
func shown(code string) string {
	code = strings.ReplaceAll(code, "\\`", "  ")
	code = scriptComment.ReplaceAllStringFunc(code, blanked)
	return only(scriptText, code)
}

func commented(code string) string { return only(scriptComment, code) }

func blanked(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

// only blanks all of a text but what the expression matches.
func only(kept *regexp.Regexp, text string) string {
	var b strings.Builder
	end := 0
	for {
		at := kept.FindStringIndex(text[end:])
		if at == nil {
			return b.String()
		}
		b.WriteString(blanked(text[end:end+at[0]]) + " " + text[end+at[0]:end+at[1]])
		end += at[1]
		if last := text[end-1]; last == '<' || last == '{' {
			end-- // it may begin the next match
		}
	}
}

func TestThePagesAndTheFeaturesHaveNoBannedTurns(t *testing.T) {
	files := 0
	for _, place := range []string{"features", "plugins", "docs/examples", "wasm/browser/playground/src", "host/report/assets/script", "host/whatif"} {
		walk(t, place, func(name string) {
			switch ext := filepath.Ext(name); {
			case ext == ".feature" || ext == ".html":
				files++
				report(t, name, search(read(t, name), 1))
			case (ext == ".ts" || ext == ".tsx" || ext == ".js") && !strings.Contains(name, ".test."):
				files++
				code := read(t, name)
				report(t, name, search(shown(code), 1))
				report(t, name, search(commented(code), 1))
			}
		})
	}
	if files < 200 {
		t.Fatalf("found %d features and files of the pages, expected at least 200", files)
	}
}

func TestTextsOfScriptsAreToldFromCode(t *testing.T) {
	for _, c := range []struct {
		code  string
		shown []int // the lines in which a text has a banned turn
	}{
		{"const whom = 1 // whom\n/** whom\n */\nf(\"whom\", `a\n\\`whom\\` ${x}`)\n<p>for\n ever</p>", []int{4, 5, 6}},
		{"<p>{n} of whom\n{count(n, \"ask\")} upon {m}</p>", []int{1, 2}},
		{"<p>upon {n > 1 && <b>whom</b>}\n</p>", []int{1, 1}},
		{"f('whom')", []int{1}},
		{"if (whom) {\n} else if (upon) {\n}\nconst f = (whom: A) => {\n};\nfunction whom(lest: B) {\n}", nil},
	} {
		found := search(shown(c.code), 1)
		slices.SortFunc(found, func(a, b find) int { return a.line - b.line })
		lines := make([]int, 0, len(found))
		for _, f := range found {
			lines = append(lines, f.line)
		}
		if !slices.Equal(lines, c.shown) {
			t.Errorf("%q: found turns in the lines %v, expected %v", c.code, lines, c.shown)
		}
	}
	if found := search(commented("whom() // whom\n/* a\nwhom */"), 1); len(found) != 2 || found[0].line != 1 || found[1].line != 3 {
		t.Errorf("found %v in comments, expected one in line 1 and one in line 3", found)
	}
}

func TestCodesOfTheInterfaceAreNoTurns(t *testing.T) {
	if found := search("preempts-nobody, needs-nobody, nobody", 1); len(found) != 1 {
		t.Errorf("found %v, expected the last word alone", found)
	}
}

func TestABannedTurnIsFoundAcrossLinesWithItsLine(t *testing.T) {
	found := search("A page.\n\nThe index is made\nAnew, which\nmay last for\never.", 1)
	if len(found) != 2 || found[0].line != 4 || found[1].line != 5 {
		t.Fatalf("found %v, expected anew in line 4 and for ever in line 5", found)
	}
}

func TestQuotedTextIsNoProse(t *testing.T) {
	page := "a `whom` b\n```console\n$ whom\n```\nwhom"
	found := search(prose(page), 1)
	if len(found) != 1 || found[0].line != 5 {
		t.Fatalf("found %v, expected one in line 5", found)
	}
}
