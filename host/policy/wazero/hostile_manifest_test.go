package wazero_test

import (
	"fmt"
	"strings"
)

// declares is the good module with another manifest. It ends with a NUL, since nothing is behind it.
func declares(manifest string) []byte {
	f := goodFile()
	f.set(memories, bytesOf(0, 32))
	return f.set(datas, bytesOf(0, constant(1024), 0x0b, number(len(manifest)), manifest)).bytes()
}

// pointed is a manifest with other words about the point.
func pointed(words string) []byte {
	return declares(`{"name":"m","version":"1","abi":"1.0","points":{"node.score":{` + words + `}}}`)
}

// versioned is the good module with another quern_abi.
func versioned(version int) []byte {
	return goodFile().function("quern_abi", answersAddress, nil, constant(version)).bytes()
}

// beside is a manifest with more keys.
func beside(words string) []byte {
	return declares(strings.TrimSuffix(goodManifest, "}") + "," + words + "}")
}

var manifestCases = []hostile{
	{name: "manifest is empty", file: declares(""), stop: atManifest, reason: "manifest: EOF"},
	{name: "manifest is no JSON", file: declares("hello"), stop: atManifest, reason: "manifest:1:1: invalid character 'h'"},
	{name: "manifest is null", file: declares("null"), stop: atManifest, reason: "manifest:1:1: name: expected small letters"},
	{name: "manifest is a list", file: declares("[1]"), stop: atManifest, reason: "manifest:1:1: json: cannot unmarshal array"},
	{name: "manifest without end", file: declares(strings.Repeat("x", 100_000)), stop: atManifest, reason: "quern_manifest: expected a text that ends with a NUL after at most 65536 bytes"},
	{name: "manifest of 1 MiB", file: declares(goodManifest + strings.Repeat(" ", 1<<20)), stop: atManifest, reason: "quern_manifest: expected a text that ends with a NUL after at most 65536 bytes"},
	{name: "manifest at the end of memory", file: goodFile().function("quern_manifest", answersAddress, nil, constant(8<<16-1), 0x41, 1, 0x3a, 0, 0, constant(8<<16-1)).bytes(), stop: atManifest, reason: "quern_manifest: expected a text that ends with a NUL"},
	{name: "manifest outside of memory", file: goodFile().function("quern_manifest", answersAddress, nil, constant(-1)).bytes(), stop: atManifest, reason: "quern_manifest: expected an address within the memory of 524288 bytes, found 4294967295"},
	{name: "manifest nested deeply", file: declares(strings.Repeat("[", 60_000)), stop: atManifest, reason: "manifest:1:10001: invalid character '[' exceeded max depth"},
	{name: "manifest nested deeply in a default", file: beside(`"parameters":{"p":{"type":"numbers","default":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `}}`), stop: atManifest, reason: "manifest:1:10158: invalid character '[' exceeded max depth"},
	{name: "manifest with more behind it", file: declares(goodManifest + goodManifest), stop: atManifest, reason: "manifest:1:115: expected one JSON object, found more after it"},
	{name: "manifest with an unknown key", file: beside(`"root":true`), stop: atManifest, reason: `manifest:1:115: json: unknown field "root"`},
	{name: "manifest with an unknown key that controls a terminal", file: beside(`"\u001b[2J":true`), stop: atManifest, reason: `manifest:1:115: json: unknown field "\x1b[2J"`},
	{name: "manifest of another abi", file: declares(strings.Replace(goodManifest, "1.0", "2.0", 1)), stop: atManifest, reason: `manifest:1:33: abi: expected 1.0 to 1.3, found "2.0"`},
	{name: "manifest with a bad name", file: declares(strings.Replace(goodManifest, `"m"`, `"../../etc"`, 1)), stop: atManifest, reason: "manifest:1:9: name: expected small letters"},
	{name: "manifest with a long name", file: declares(strings.Replace(goodManifest, `"m"`, `"`+strings.Repeat("m", 64)+`"`, 1)), stop: atManifest, reason: "manifest:1:9: name: expected small letters"},
	{name: "manifest without points", file: declares(`{"name":"m","version":"1","abi":"1.0","points":{}}`), stop: atManifest, reason: "manifest:1:39: points: expected at least one, found none"},
	{name: "manifest of an unknown point", file: declares(strings.Replace(goodManifest, "node.score", "node.delete", 1)), stop: atManifest, reason: `manifest:1:49: points: expected one of queue.order, `},
	{name: "manifest of a point that is not exported", file: declares(strings.Replace(goodManifest, "node.score", "victim.rank", 1)), stop: atManifest, reason: "manifest:1:49: points: victim.rank: expected the module to export victim_rank"},
	{name: "manifest with a default of another type", file: beside(`"parameters":{"p":{"type":"number","default":"x"}}`), stop: atManifest, reason: "manifest:1:150: parameters: p: default: expected a number, found x"},
	{name: "manifest with too many columns", file: pointed(`"columns":[` + strings.TrimSuffix(strings.Repeat(`"free:vcore",`, 65), ",") + `],"keys":1,"depends":"row"`), stop: atManifest, reason: "columns: expected at most 64, found 65"},
	{name: "manifest of a column that does not exist", file: pointed(`"columns":["secrets:all"],"keys":1,"depends":"row"`), stop: atResolve, reason: "secrets"},
	{name: "manifest of a column of another point", file: pointed(`"columns":["fair_share"],"keys":1,"depends":"row"`), stop: atResolve, reason: `columns: "fair_share" is not a column of this point`},
	{name: "manifest of 9 keys", file: pointed(`"columns":[],"keys":9,"depends":"row"`), stop: atResolve, reason: "keys: expected 1 to 8 (1 for node.score and node.filter), found 9"},
	{name: "manifest of no keys", file: pointed(`"columns":[],"keys":0,"depends":"row"`), stop: atResolve, reason: "keys: expected 1 to 8"},
	{name: "manifest of -1 keys", file: pointed(`"columns":[],"keys":-1,"depends":"row"`), stop: atResolve, reason: "keys: expected 1 to 8"},
	{name: "manifest of 1e99 keys", file: pointed(`"columns":[],"keys":1e99,"depends":"row"`), stop: atManifest, reason: "cannot unmarshal number 1e99"},
	{name: "manifest with an unknown dependence", file: pointed(`"columns":["free:vcore"],"keys":1,"depends":"weather"`), stop: atResolve, reason: `depends: expected row, siblings or, for nodes, ask; found "weather"`},
	{name: "manifest with a point twice", file: declares(strings.Replace(goodManifest, `"points":{`, `"points":{"node.score":{"columns":[],"keys":1,"depends":"row"},`, 1)), stop: nowhere, answers: double},
	{name: "manifest that is not UTF-8", file: beside("\"description\":\"\xff\xfe\""), stop: nowhere, answers: double},
	{name: "manifest of a later minor version", file: declares(strings.Replace(goodManifest, "1.0", "1.7", 1)), stop: atManifest, reason: `manifest:1:33: abi: expected 1.0 to 1.3, found "1.7"`},
	{name: "manifest that differs each time", source: fmt.Sprintf(`const char *EXPORT(quern_manifest)(void) { static u32 n; return n++ ? "{}" : %q; }`, goodManifest) + good, stop: nowhere, answers: double},

	{name: "abi 2.0", file: versioned(2 << 16), stop: atManifest, reason: "quern_abi: expected version 1.0 to 1.3 of the ABI, found 2.0"},
	{name: "abi 1.4", file: versioned(1<<16 + 4), stop: atManifest, reason: "quern_abi: expected version 1.0 to 1.3 of the ABI, found 1.4"},
	{name: "abi 1.1 and a manifest of 1.0", file: versioned(1<<16 + 1), stop: atManifest, reason: "quern_abi: expected version 1.0, as the manifest says, found 1.1"},
	{name: "abi 1.0 and a manifest of 1.1", file: declares(strings.Replace(goodManifest, "1.0", "1.1", 1)), stop: atManifest, reason: "quern_abi: expected version 1.1, as the manifest says, found 1.0"},
	{name: "abi 0.0", file: versioned(0), stop: atManifest, reason: "found 0.0"},
	{name: "abi -1", file: versioned(-1), stop: atManifest, reason: "found 65535.65535"},
}
