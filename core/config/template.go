package config

// template reads the settings of dynamic leaves. It returns nil if there are none.
func (d *decoder) template(s *scope, v *value) *Template {
	q := s.queue
	var t Template
	for _, f := range d.fields(q.Path, "", v) {
		switch f.name {
		case "maxapplications":
			t.MaxApplications = d.count(q.Path, f.name, f.value)
		case "resources":
			own := d.readResources(q.Path, f.value)
			t.Guaranteed, t.Max = own.Guaranteed, own.Max
			d.checkGuaranteed(q.Path, own)
		case "properties":
			d.below("properties.", func() { t.Properties = d.templateProperties(q, f.value) })
		default:
			d.add(f.at, q.Path, f.name, oneOf(d.knownKeys(InQueue, "childtemplate.")...), quote(f.name))
		}
	}
	if t.MaxApplications == 0 && len(t.Guaranteed)+len(t.Max)+len(t.Properties) == 0 {
		return nil
	}
	return &t
}

// templateProperties reads the properties of a template as those of a queue that does not exist yet.
func (d *decoder) templateProperties(q *Queue, v *value) map[string]string {
	leaf := newQueue("", q)
	leaf.Path = q.Path // the path for errors
	d.readProperties(leaf, "", v)
	return leaf.Properties
}
