package secret

import "reflect"

// Within copies a value with each text in it put through a function, those that
// are bytes too, and those of fields that are exported.
func Within[T any](v T, text func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(copied(reflect.ValueOf(&v).Elem(), text))
	return out.Interface().(T)
}

func copied(v reflect.Value, text func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copied(v.Elem(), text))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copied(v.Field(i), text))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			out.SetBytes([]byte(text(string(v.Bytes()))))
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copied(v.Index(i), text))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for each := v.MapRange(); each.Next(); {
			out.SetMapIndex(each.Key(), copied(each.Value(), text))
		}
	}
	return out
}
