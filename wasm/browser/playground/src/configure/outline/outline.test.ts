import { describe, expect, it } from "vitest";
import { example } from "../examples.fixture";
import type { Outline } from "./outline";
import { entriesIn, find, path, place, queueOf } from "./outline";
import { tomlOutline } from "./toml";
import { yamlOutline } from "./yaml";

type Read = (text: string, cursor?: number) => Outline;

/** What is at the bar in a text: kind, level, keys below it, the key whose value it is, what is there already, keys beside it. */
function at(read: Read, marked: string) {
  const cursor = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { spot } = read(text, cursor);
  if (!spot) return undefined;
  const { level, below } = place(spot.mapping);
  return [spot.kind, [level, ...below].join(" "), spot.entry?.name.text ?? "", text.slice(spot.from, spot.to), spot.mapping.entries.map((e) => e.name.text).join(" ")];
}

describe("the spot in YAML", () => {
  it.each([
    ["an empty text", "|", "key", "file", "", "", ""],
    ["a key of the partition", "partitions:\n- name: default\n  |\n", "key", "partition", "", "", "name"],
    ["after a dash", "partitions:\n- |", "key", "partition", "", "", ""],
    ["a word that is being typed", "partitions:\n- queues:\n  - name: root\n    prop|\n    parent: true\n", "key", "queue", "", "prop", "name parent"],
    ["below a key", "partitions:\n- nodesortpolicy:\n    |\n", "key", "partition nodesortpolicy", "", "", ""],
    ["a property", "partitions:\n- queues:\n  - name: root\n    queues:\n    - name: a\n      properties:\n        priority.offset: '1'\n        pree|", "key", "properties", "", "pree", "priority.offset"],
    ["another item of a list", "partitions:\n- queues:\n  - name: a\n    resources:\n      max: {vcore: 1}\n  - name: b\n    |", "key", "queue", "", "", "name"],
    ["less deep again", "partitions:\n- queues:\n  - name: a\n    resources:\n      max: {vcore: 1}\n  |", "key", "partition", "", "", "queues"],
    ["a value", "partitions:\n- nodesortpolicy:\n    type: |\n", "value", "partition nodesortpolicy", "type", "", "type"],
    ["a value in part", "partitions:\n- queues:\n  - properties:\n      priority.policy: fe|\n", "value", "properties", "priority.policy", "fe", "priority.policy"],
    ["a quoted value", 'partitions:\n- queues:\n  - properties:\n      priority.policy: "fe|"\n', "value", "properties", "priority.policy", "fe", "priority.policy"],
    ["in braces", "partitions:\n- queues:\n  - resources: {max: {vcore: 1, |}}\n", "key", "queue resources max", "", "", "vcore"],
    ["a word in braces", "partitions:\n- queues:\n  - properties: {priority.policy: fence, pri|}\n    queues: []\n", "key", "properties", "", "pri", "priority.policy"],
    ["a value in braces", "partitions:\n- queues: [{name: a, properties: {priority.policy: |}}]\n", "value", "properties", "priority.policy", "", "priority.policy"],
    ["an item in braces", "partitions:\n- queues:\n  - {name: a, par|}\n  - name: b\n", "key", "queue", "", "par", "name"],
    ["behind an item in braces", "partitions:\n- queues:\n  - {name: a,\n     parent: true}\n  - name: b\n    |", "key", "queue", "", "", "name"],
    ["braces over lines", "partitions: [{\n  queues: [\n    {name: a, par|\n  ]}]\n", "key", "queue", "", "par", "name"],
    ["after a brace that was left open", "partitions:\n- queues:\n  - resources: {max: {vcore: 1\n    pa|", "key", "queue", "", "pa", "resources"],
    ["behind a text of several lines", "partitions:\n- queues:\n  - properties:\n      note: |2\n        name: x\n    \n".replace("|2", ">") + "    par|", "key", "queue", "", "par", "properties"],
    ["a key that is there", "partitions:\n- que|ues:\n  - name: a\n", "key", "partition", "", "queues", "queues"],
  ])("%s", (_, text, ...expected) => { expect(at(yamlOutline, text)).toEqual(expected); });

  it("is nothing in a comment", () => { expect(at(yamlOutline, "partitions: # al|l\n")).toBeUndefined(); });
});

describe("the spot in TOML", () => {
  it.each([
    ["an empty text", "|", "key", "file", "", "", ""],
    ["a header", "[[partitions.qu|", "header", "file", "", "[[partitions.qu", "partitions"],
    ["a key of the partition", "[[partitions]]\nname = 'default'\n|", "key", "partition", "", "", "name"],
    ["a key of a queue", "[[partitions]]\n[[partitions.queues]]\nna|\nparent = true", "key", "queue", "", "na", "parent"],
    ["a dotted key", "[[partitions]]\n[[partitions.queues]]\nresources.gu|", "key", "queue resources", "", "gu", ""],
    ["behind a dot", "[[partitions]]\n[[partitions.queues]]\nresources.|", "key", "queue resources", "", "", ""],
    ["a table of its own", "[[partitions]]\n[[partitions.queues]]\n[partitions.queues.properties]\n|", "key", "properties", "", "", ""],
    ["a quoted property in braces", '[[partitions]]\n[[partitions.queues]]\nproperties = { "priority.policy" = "fence", "pre|" }', "key", "properties", "", "pre", "priority.policy"],
    ["a value", "[[partitions]]\nnodesortpolicy.type = |", "value", "partition nodesortpolicy", "type", "", "type"],
    ["a quoted value", '[[partitions]]\nnodesortpolicy = { type = "bin|" }', "value", "partition nodesortpolicy", "type", "bin", "type"],
    ["a bare value", "[[partitions]]\n[[partitions.queues]]\nparent = tr|", "value", "queue", "parent", "tr", "parent"],
    ["amounts", "[[partitions]]\n[[partitions.queues]]\nresources.max = { vcore = 1, | }", "key", "queue resources max", "", "", "vcore"],
    ["tables in a list", "[[partitions]]\nqueues = [\n  { name = 'a', par| },\n]", "key", "queue", "", "par", "name"],
  ])("%s", (_, text, ...expected) => { expect(at(tomlOutline, text)).toEqual(expected); });
});

describe("the outline", () => {
  it("of a file is the same in both formats", () => {
    const keys = (outline: Outline): string[] =>
      [...entriesIn(outline.file)].map(({ mapping, entry }) => [...path(mapping), entry.name.text].join("/") + ` of ${queueOf(mapping) ?? "none"}: ${entry.value?.text ?? ""}`);
    expect(keys(tomlOutline(example("queues.toml")))).toEqual(keys(yamlOutline(example("queues.yaml"))));
  });

  it.each([["yaml", yamlOutline, "stateaware"], ["toml", tomlOutline, "stateaware"]] as const)("finds queues and their keys (%s)", (format, read, value) => {
    const text = example(`queues.${format}`);
    const { file } = read(text);
    const cut = (queue: string, key?: string): string => {
      const found = find(file, queue, key);
      return found ? text.slice(found.from, found.to) : "";
    };
    expect(cut("root.research.vision")).toBe("vision");
    expect(cut("root.research.vision", "application.sort.policy")).toBe(value);
    expect(cut("root.research.vision", "resources.max.memory")).toBe("32Gi");
    expect(cut("root.prod", "maxapplications")).toBe("prod");
    expect(cut("root.nobody")).toBe("");
  });

  it("of a list without root begins at root", () => {
    const text = "partitions: [{queues: [{name: A}]}]";
    expect(find(yamlOutline(text).file, "root.a")).toMatchObject({ text: "A" });
  });

  it("comes of any text", () => {
    const text = example("queues.yaml") + example("queues.toml") + '{[}]"\'\\:=,-|>#\r\n\t - [[ {';
    for (let i = 0; i < text.length; i++) {
      for (const read of [yamlOutline, tomlOutline]) {
        read(text.slice(i), 3);
        read(text.slice(0, i), i);
      }
    }
  });
});
