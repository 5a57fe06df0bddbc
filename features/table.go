package features

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// row is one line of a step's table, by the words of its first line.
type row map[string]string

// rowsOf reads a table whose first line names the columns. Only the columns given may occur; none given admits any.
func rowsOf(table *godog.Table, columns ...string) ([]row, error) {
	head, err := headOf(table, columns)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, line := range table.Rows[1:] {
		r := make(row, len(head))
		for i, cell := range line.Cells {
			r[head[i]] = cell.Value
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// itemsOf is rowsOf for a table of things, which the first of the columns names: no line may leave it out.
func itemsOf(table *godog.Table, columns ...string) ([]row, error) {
	rows, err := rowsOf(table, columns...)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		if r[columns[0]] == "" {
			return nil, fmt.Errorf("table: expected something in column %q of line %d, found nothing", columns[0], i+1)
		}
	}
	return rows, nil
}

func headOf(table *godog.Table, columns []string) ([]string, error) {
	if len(table.Rows) == 0 {
		return nil, fmt.Errorf("table: expected a first line with the names of the columns, found nothing")
	}
	var head []string
	for _, cell := range table.Rows[0].Cells {
		if len(columns) > 0 && !slices.Contains(columns, cell.Value) {
			return nil, fmt.Errorf("table: expected columns of %s, found %q", strings.Join(columns, ", "), cell.Value)
		}
		if slices.Contains(head, cell.Value) {
			return nil, fmt.Errorf("table: column %q stands there twice", cell.Value)
		}
		head = append(head, cell.Value)
	}
	return head, nil
}

// column is one thing that a table of a Then step may ask of a T.
type column[T any] struct {
	name  string
	found func(T) string                    // the value, in one spelling
	want  func(cell string) (string, error) // brings a cell into that spelling
}

func names[T any](columns []column[T]) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name
	}
	return list
}

// differences compares a T with a row. An empty cell is not looked at.
func differences[T any](columns []column[T], r row, item T) ([]string, error) {
	var list []string
	for _, c := range columns {
		cell := r[c.name]
		if cell == "" {
			continue
		}
		want, err := c.want(cell)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.name, err)
		}
		if found := c.found(item); found != want {
			list = append(list, fmt.Sprintf("%s: expected %s, found %s", c.name, want, found))
		}
	}
	return list, nil
}

// Spellings of cells.

func asIs(cell string) (string, error) {
	if cell == none || cell == nothing {
		return "", nil
	}
	return cell, nil
}

func asResources(cell string) (string, error) {
	set, err := resourcesOf(cell)
	return resourceText(set), err
}

// asAmounts leaves out zeros, as sets of what there is do; in a max a zero means something.
func asAmounts(cell string) (string, error) {
	set, err := resourcesOf(cell)
	return amountText(set), err
}

func asShare(cell string) (string, error) {
	share, err := shareOf(cell)
	return shareText(share), err
}

func asPairs(cell string) (string, error) {
	pairs, err := pairsOf(cell)
	return pairText(pairs), err
}

func pairText(pairs map[string]string) string {
	var list []string
	for key, value := range pairs {
		list = append(list, key+"="+value)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
