package config

import (
	"fmt"
	"strings"
	"testing"
)

// wideTree is a configuration of parents with leaves, the same in both formats.
func wideTree(format Format, parents, leaves int) []byte {
	var b strings.Builder
	if format == YAML {
		b.WriteString("partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n")
	} else {
		b.WriteString("[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"root\"\n")
	}
	for p := range parents {
		if format == YAML {
			fmt.Fprintf(&b, "    - name: team-%d\n      resources: {max: {vcore: 1000, memory: 4Ti}}\n      queues:\n", p)
		} else {
			fmt.Fprintf(&b, "[[partitions.queues.queues]]\nname = \"team-%d\"\nresources = {max = {vcore = 1000, memory = \"4Ti\"}}\n", p)
		}
		for l := range leaves {
			wideLeaf(&b, format, l)
		}
	}
	return []byte(b.String())
}

func wideLeaf(b *strings.Builder, format Format, l int) {
	if format == YAML {
		fmt.Fprintf(b, `      - name: leaf-%d
        resources:
          guaranteed:
            vcore: 4
            memory: 16Gi
          max:
            vcore: 100
            memory: 400Gi
        properties:
          priority.offset: "%d"
          application.sort.policy: fair
`, l, l%3)
		return
	}
	fmt.Fprintf(b, `[[partitions.queues.queues.queues]]
name = "leaf-%d"
[partitions.queues.queues.queues.resources.guaranteed]
vcore = 4
memory = "16Gi"
[partitions.queues.queues.queues.resources.max]
vcore = 100
memory = "400Gi"
[partitions.queues.queues.queues.properties]
"priority.offset" = "%d"
"application.sort.policy" = "fair"
`, l, l%3)
}

func BenchmarkDecode(b *testing.B) {
	for _, format := range []Format{YAML, TOML} {
		for _, parents := range []int{1, 10, 100} {
			text := wideTree(format, parents, 99)
			b.Run(fmt.Sprintf("%s-%d", format, parents*100), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Decode(text, Options{Format: format}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	c, err := Decode(wideTree(YAML, 100, 99), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("queues-10000", func(b *testing.B) {
		for b.Loop() {
			c.Print()
		}
	})
}
