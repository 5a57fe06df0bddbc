package plainenglish

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// A find is a banned turn and the line that it begins in.
type find struct {
	line int
	turn turn
	text string
}

// search returns what is banned in a text whose first line has the number given.
func search(text string, first int) []find {
	var all []find
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
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 20 {
		t.Fatalf("found %d pages in docs, expected at least 20", len(pages))
	}
	for _, name := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		report(t, name, search(prose(read(t, name)), 1))
	}
}

func TestTheTextsOfProgramsHaveNoBannedTurns(t *testing.T) {
	files := 0
	for _, folder := range []string{"cmd", "core", "features", "host", "sdk", "wasm"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules"):
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go"):
				return nil
			}
			files++
			report(t, name, inStrings(t, name))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Fatalf("found %d files of Go, expected at least 300", files)
	}
}

// inStrings returns the banned turns in the strings of a Go file.
func inStrings(t *testing.T, name string) []find {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
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
	return all
}

// pageComment is a comment of the page's code, which its readers do not see.
var pageComment = regexp.MustCompile(`(?s)/\*.*?\*/|(^|\s)//[^\n]*`)

// pageText is what a reader of the page sees in its code: strings, and text between tags. Names in code may be any words.
var pageText = regexp.MustCompile("(?s)\"[^\"\n]*\"|`[^`]*`|>[^<>{}]+<")

// shown blanks all of the page's code but its texts. Lines keep their numbers.
func shown(code string) string {
	lines := func(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }
	code = strings.ReplaceAll(code, "\\`", "  ")
	code = pageComment.ReplaceAllStringFunc(code, lines)
	var b strings.Builder
	end := 0
	for _, at := range pageText.FindAllStringIndex(code, -1) {
		b.WriteString(lines(code[end:at[0]]) + " " + code[at[0]:at[1]])
		end = at[1]
	}
	return b.String()
}

func TestThePageAndTheFeaturesHaveNoBannedTurns(t *testing.T) {
	files := 0
	for _, folder := range []string{"features", "docs/examples", "wasm/browser/playground/src"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			switch ext := filepath.Ext(name); {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case ext == ".feature":
				files++
				report(t, name, search(read(t, name), 1))
			case (ext == ".ts" || ext == ".tsx") && !strings.Contains(name, ".test."):
				files++
				report(t, name, search(shown(read(t, name)), 1))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Fatalf("found %d features and files of the page, expected at least 200", files)
	}
}

func TestOnlyTextsOfThePageAreLookedAt(t *testing.T) {
	found := search(shown("const whom = 1 // whom\n/** whom\n */\nf(\"whom\", `a\n\\`whom\\` ${x}`)\n<p>for\n ever</p>"), 1)
	if len(found) != 3 || found[0].line != 6 || found[1].line != 4 || found[2].line != 5 {
		t.Fatalf("found %v, expected for ever in line 6, and whom in lines 4 and 5", found)
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
