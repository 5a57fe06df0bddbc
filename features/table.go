package features

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// row is one line of a step's table, by the words of its first line.
type row map[string]string

// rowsOf reads a table whose first line names the columns. Only the columns given may occur, and no line is empty.
func rowsOf(table *godog.Table, columns ...string) ([]row, error) {
	return rowsBy(table, func(name string) (string, error) {
		if !slices.Contains(columns, name) {
			return "", fmt.Errorf("expected columns of %s, found %q%s", strings.Join(columns, ", "), name, meant(name, columns))
		}
		return name, nil
	})
}

// rowsBy is rowsOf for columns that a function knows, by the name that it gives to each.
func rowsBy(table *godog.Table, column func(name string) (string, error)) ([]row, error) {
	head, err := headOf(table, column)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	var rows []row
	for i, line := range table.Rows[1:] {
		r := make(row, len(head))
		empty := true
		for i, cell := range line.Cells {
			r[head[i]] = cell.Value
			empty = empty && cell.Value == ""
		}
		if empty {
			return nil, fmt.Errorf("table: expected something in line %d, found empty cells", i+1)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// itemsOf is rowsOf for a table of things: there is at least one, and each has all of the columns that are required.
// The first of those names it.
func itemsOf(table *godog.Table, required []string, others ...string) ([]row, error) {
	rows, err := rowsOf(table, slices.Concat(required, others)...)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("table: expected a line below the names of the columns, found none")
	}
	for i, r := range rows {
		for _, name := range required {
			if r[name] == "" {
				return nil, fmt.Errorf("table: expected something in column %q of line %d, found nothing", name, i+1)
			}
		}
	}
	return rows, nil
}

func headOf(table *godog.Table, column func(string) (string, error)) ([]string, error) {
	if len(table.Rows) == 0 {
		return nil, errors.New("expected a first line with the names of the columns, found nothing")
	}
	var head []string
	for _, cell := range table.Rows[0].Cells {
		name, err := column(cell.Value)
		if err != nil {
			return nil, err
		}
		if slices.Contains(head, name) {
			return nil, fmt.Errorf("expected each column once, found %q twice", cell.Value)
		}
		head = append(head, name)
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
	set, err := expectedOf(cell)
	return resourceText(set), err
}

// asAmounts leaves out zeros, as sets of what there is do; in a max a zero means something.
func asAmounts(cell string) (string, error) {
	set, err := expectedOf(cell)
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
