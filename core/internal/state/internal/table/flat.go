package table

import (
	"fmt"
	"reflect"
)

// Flat returns an error that names the part of a type which contains a pointer, slice, string, map, func, channel or interface, or nil if
// there is none. Values of flat types share no memory with a table, and the garbage collector does not scan their pages.
func Flat[R any]() error {
	return flat(reflect.TypeFor[R](), reflect.TypeFor[R]().String())
}

func flat(t reflect.Type, path string) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if err := flat(t.Field(i).Type, path+"."+t.Field(i).Name); err != nil {
				return err
			}
		}
		return nil
	case reflect.Array:
		return flat(t.Elem(), path+"[]")
	case reflect.Bool, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	}
	return fmt.Errorf("%s: expected a type without pointers, found %s", path, t)
}
