import { beforeAll, describe, expect, it } from "vitest";
import { startCore, type Ask } from "../engine/core.fixture";
import { hasCore } from "../engine/here";
import type { Answers } from "../engine/types";
import { changes } from "./changes";
import { convert } from "./convert";
import { example } from "./examples.fixture";
import type { Keys } from "./keys";
import { find } from "./outline/outline";
import { tomlOutline } from "./outline/toml";
import { yamlOutline } from "./outline/yaml";
import { problems } from "./problems";
import { suggest, type Known } from "./suggest";

describe.skipIf(!hasCore)("with the scheduler's own words (needs build/core.wasm)", () => {
  let ask: Ask;
  let keys: Keys;
  beforeAll(async () => {
    ask = await startCore();
    keys = ask("keys", {}).answer.keys;
  });

  const check = (text: string, format: "yaml" | "toml" = "yaml"): Answers["check"] => ask("check", { format, file: "configuration" }, text).answer;
  const config = (text: string) => {
    const { configuration } = check(text);
    if (!configuration) throw new Error("the text has errors");
    return configuration;
  };
  const policies: Known["policies"] = [{ name: "drf", points: ["queue.order", "app.order"] }, { name: "binpack", points: ["node.score"] }];

  /** What is suggested at the bar, and what the text becomes with the one that is picked. */
  function at(format: "yaml" | "toml", marked: string, pick?: string) {
    const cursor = marked.indexOf("|");
    const text = marked.replace("|", "");
    const outline = (format === "yaml" ? yamlOutline : tomlOutline)(text, cursor);
    const found = suggest(outline, text, format, { keys, policies, types: ["vcore", "memory", "nvidia.com/gpu"] });
    const picked = found.find((s) => s.label === pick);
    return {
      labels: found.map((s) => s.label),
      text: picked && outline.spot ? `${text.slice(0, outline.spot.from)}${picked.before}|${picked.after}${text.slice(outline.spot.to)}` : undefined,
    };
  }

  describe("suggestions in YAML", () => {
    const queue = "partitions:\n- queues:\n  - name: root\n";
    it("are the keys of the place, but those that stand there", () => {
      expect(at("yaml", "|").labels).toEqual(["partitions", "devices", "checksum"]);
      expect(at("yaml", "partitions:\n- name: x\n  |").labels).toEqual(["queues", "nodesortpolicy", "preemption", "placementrules", "limits", "topology", "windows", "window", "backfill", "usergroupresolver"]);
      expect(at("yaml", `${queue}    |`).labels).toEqual(["parent", "resources", "maxapplications", "properties", "submitacl", "adminacl", "childtemplate", "limits", "queues"]);
      expect(at("yaml", `${queue}    resources: {|}`).labels).toEqual(["guaranteed", "max"]);
      expect(at("yaml", `${queue}    resources:\n      max: {vcore: 1, |}`).labels).toEqual(["memory", "nvidia.com/gpu"]);
      expect(at("yaml", `${queue}    properties:\n      |\n      priority.offset: "1"`).labels).toContain("preemption.policy");
      expect(at("yaml", `${queue}    limits:\n    - |`).labels).toEqual(["limit", "users", "groups", "maxresources", "maxapplications"]);
      expect(at("yaml", `${queue}    limits:\n    - maxresources: {|}`).labels).toContain("vcore");
      expect(at("yaml", `${queue}    childtemplate:\n      |`).labels).toEqual(["maxapplications", "resources", "properties"]);
      expect(at("yaml", "partitions:\n- placementrules:\n  - name: user\n    |").labels).toEqual(["create", "value", "parent", "filter"]);
      expect(at("yaml", "partitions:\n- placementrules:\n  - name: user\n    parent:\n      |").labels).toEqual(["name", "create", "value", "parent", "filter"]);
      expect(at("yaml", "partitions:\n- placementrules:\n  - filter:\n      |").labels).toEqual(["type", "users", "groups"]);
      expect(at("yaml", "partitions:\n- placementrules:\n  - name: |").labels).toEqual(["provided", "user", "tag", "fixed"]);
    });
    it.each([
      ["maxapplications", `${queue}    max|`, `${queue}    maxapplications: |`],
      ["properties", `${queue}    pr|`, `${queue}    properties:\n      |`],
      ["resources", `${queue}    |`, `${queue}    resources:\n      |`],
      ["max", `${queue}    resources:\n      |`, `${queue}    resources:\n      max: {|}`],
      ["queues", `${queue}    |`, `${queue}    queues:\n    - name: |`],
      ["nodesortpolicy", "partitions:\n- nod|", "partitions:\n- nodesortpolicy:\n    |"],
      ["limits", `${queue}    |`, `${queue}    limits:\n    - limit: |`],
      ["users", `${queue}    limits:\n    - |`, `${queue}    limits:\n    - users: [|]`],
      ["placementrules", "partitions:\n- pl|", "partitions:\n- placementrules:\n  - name: |"],
      ["parent", `${queue}    par|: true`, `${queue}    parent|: true`],
      ["priority.policy", `${queue}    properties: {pri|}`, `${queue}    properties: {priority.policy: |}`],
    ])("%s is written with room for its value", (label, before, after) => { expect(at("yaml", before, label).text).toBe(after); });
    it("are the values of a key, and the modules that serve there", () => {
      const values = (key: string) => at("yaml", `${queue}    properties:\n      ${key}: |`).labels;
      expect(values("application.sort.policy")).toEqual(["fifo", "fair", "stateaware", "drf"]);
      expect(values("queue.sort.policy")).toEqual(["fair", "drf"]);
      expect(values("priority.policy")).toEqual(["default", "fence"]);
      expect(values("priority.offset")).toEqual([]);
      expect(at("yaml", "partitions:\n- nodesortpolicy: {type: |}").labels).toEqual(["fair", "binpacking", "binpack"]);
      expect(at("yaml", "partitions:\n- preemption:\n    enabled: |").labels).toEqual(["true", "false"]);
      expect(at("yaml", `${queue}    submitacl: |`, "*").text).toBe(`${queue}    submitacl: "*"|`);
    });
  });

  describe("suggestions in TOML", () => {
    const queue = "[[partitions]]\n[[partitions.queues]]\n";
    it("are the keys of the place, with those below them", () => {
      expect(at("toml", `${queue}|`).labels).toEqual(["name", "parent", "resources.guaranteed", "resources.max", "maxapplications", "properties", "submitacl", "adminacl",
        "childtemplate.maxapplications", "childtemplate.resources.guaranteed", "childtemplate.resources.max", "childtemplate.properties"]);
      expect(at("toml", `${queue}resources.max = {}\nresources.|`).labels).toEqual(["guaranteed"]);
      expect(at("toml", "[[partitions]]\n|").labels).toContain("nodesortpolicy.type");
      expect(at("toml", "[[partitions]]\n[partitions.nodesortpolicy]\n|").labels).toEqual(["type", "resourceweights"]);
    });
    it("are the tables that can come", () => {
      const { labels } = at("toml", `${queue}[[|`);
      expect(labels).toEqual(expect.arrayContaining(["[[partitions]]", "[partitions.nodesortpolicy]", "[[partitions.queues.queues]]", "[partitions.queues.properties]"]));
      expect(labels).not.toContain("[[partitions.queues.queues.queues]]");
    });
    it.each([
      ["maxapplications", `${queue}max|`, `${queue}maxapplications = |`],
      ["name", `${queue}|`, `${queue}name = "|"`],
      ["resources.max", `${queue}res|`, `${queue}resources.max = { | }`],
      ["priority.policy", `${queue}properties = { pri| }`, `${queue}properties = { "priority.policy" = "|" }`],
      ["priority.policy", `${queue}properties = { "pri|" }`, `${queue}properties = { "priority.policy|" }`],
      ["fence", `${queue}properties = { "priority.policy" = | }`, `${queue}properties = { "priority.policy" = "fence"| }`],
      ["true", `${queue}parent = |`, `${queue}parent = true|`],
      ["nvidia.com/gpu", `${queue}resources.max = { | }`, `${queue}resources.max = { "nvidia.com/gpu" = | }`],
    ])("%s is written as TOML wants it", (label, before, after) => { expect(at("toml", before, label).text).toBe(after); });
  });

  it("every error is at its word", () => {
    const text = example("broken.yaml");
    const found = problems(check(text), text, yamlOutline(text));
    expect(found.map((p) => [p.severity, p.line, text.slice(p.at?.from, p.at?.to), p.about])).toEqual([
      ["error", 5, "max", "root: resources"],
      ["error", 9, "8", "root.prod: resources.guaranteed.vcore"],
      ["error", 9, "1.5", "root.prod: resources.guaranteed.memory"],
      ["error", 12, "fiffo", "root.prod: application.sort.policy"],
      ["error", 13, "Prod", "root.prod: name"],
      ["error", 14, "\"alice, bob\"", "root.prod: submitacl"],
    ]);
    expect(found[3]?.text).toBe('expected fifo, fair, fair-users, stateaware or a loaded policy for app.order, found "fiffo"');
  });

  it("a place counts characters, and is never outside of the text", () => {
    const text = 'partitions:\n- queues:\n  - {name: "🌾🌾", oats: 1}\n';
    const found = problems(check(text), text, yamlOutline(text));
    expect(found.map((p) => text.slice(p.at?.from, p.at?.to))).toContain("oats");
    const open = problems(check("partitions = [\n", "toml"), "partitions = [\n", tomlOutline(""));
    expect(open[0]).toMatchObject({ severity: "error", about: "syntax", at: { from: 13, to: 14 }, line: 1 });
    expect(problems(check(""), "", yamlOutline(""))[0]?.at).toEqual({ from: 0, to: 0 });
  });

  it("a warning is at the key that it is about", () => {
    const text = "[[partitions]]\n[[partitions.queues]]\nname = 'A'\nproperties = { 'priority.offset' = 'high' }\n";
    const [found] = problems(check(text, "toml"), text, tomlOutline(text));
    expect(found).toMatchObject({ severity: "warning", line: 4, about: "root.a: priority.offset", text: '"high" is not a 32-bit number; 0 is used' });
    expect(text.slice(found?.at?.from, found?.at?.to)).toBe("high");
  });

  it("changes are told in words", () => {
    const before = config(example("queues.yaml"));
    const after = config(example("queues.yaml").replace("type: fair", "type: binpacking").replace("vcore: 4, memory: 16Gi", "vcore: 1.5, gpu: 1")
      .replace('"10"', '"20"').replace("        max: {vcore: 12}", "        max: {}").replace("maxapplications: 2", "parent: true").replace("- name: text", "- name: speech"));
    expect(changes(before, before)).toEqual([]);
    expect(changes(before, after)).toEqual([
      { kind: "changed", words: ["nodesortpolicy.type: fair → binpacking"] },
      { kind: "changed", queue: "root.prod", words: ["guaranteed vcore: 4 → 1.5", "guaranteed memory: 16Gi → nothing", "guaranteed gpu: nothing → 1", "priority.offset: 10 → 20"] },
      { kind: "changed", queue: "root.research", words: ["max: 12 vcore → unlimited"] },
      { kind: "changed", queue: "root.research.vision", words: ["A leaf becomes a parent.", "maxapplications: 2 → no limit"] },
      { kind: "new", queue: "root.research.speech", words: ["A leaf.", "application.sort.policy: fair"] },
      { kind: "gone", queue: "root.research.text", words: ["Applications in it stay; the queue accepts no new ones and is removed with the last."] },
    ]);
  });

  const tenants = `partitions:
- name: default
  placementrules:
  - {name: provided, filter: {type: deny, groups: [interns]}}
  - {name: user, create: true, parent: {name: fixed, value: users, create: true}}
  usergroupresolver: {type: ldap}
  queues:
  - name: root
    limits: [{limit: all, users: ["*"], maxapplications: 9}]
    queues:
    - {name: a, submitacl: "ann,bob dev", adminacl: " ops", limits: [{limit: "", users: [ann], groups: [dev], maxresources: {vcore: 2, memory: 1Gi}, maxapplications: 2}]}
    - {name: users, parent: true, submitacl: "*", childtemplate: {maxapplications: 3, resources: {guaranteed: {vcore: 1}, max: {vcore: 4}}, properties: {application.sort.policy: fair}}}
- name: GPU
  queues: [{name: root, queues: [{name: a}, {name: b}]}]
`;

  it("rules, lists, limits, templates and partitions come to the same in TOML", () => {
    const answer = check(tenants);
    expect(answer.errors).toEqual([]);
    const there = convert({ text: tenants, format: "yaml" }, answer);
    expect(check(there?.text ?? "", "toml")).toMatchObject({ errors: [], normal: answer.normal });
  });

  it("changes of rules, lists, limits, templates and partitions are told in words", () => {
    const before = config(tenants);
    expect(changes(before, before)).toEqual([]);
    const after = config(tenants.replace("  - {name: provided, filter: {type: deny, groups: [interns]}}\n", "").replace("ann,bob dev", "ann").replace("maxapplications: 9", "maxapplications: 8")
      .replace("max: {vcore: 4}", "max: {vcore: 5}").replace(", {name: b}", "").replace("users: [ann], groups: [dev], ", "users: [ann], "));
    expect(changes(before, after)).toEqual([
      { kind: "changed", words: ["placementrules: gone: provided; not for groups interns"] },
      { kind: "changed", queue: "root", words: ["limits: users *: 9 applications (all) → users *: 8 applications (all)"] },
      { kind: "changed", queue: "root.a", words: [
        "submitacl: users ann, bob and groups dev → users ann", "limits: users ann and groups dev: max 2 vcore, 1Gi memory, 2 applications → users ann: max 2 vcore, 1Gi memory, 2 applications",
      ] },
      { kind: "changed", queue: "root.users", words: [
        "childtemplate: guaranteed 1 vcore; max 4 vcore; maxapplications 3; application.sort.policy fair → guaranteed 1 vcore; max 5 vcore; maxapplications 3; application.sort.policy fair",
      ] },
      { kind: "gone", partition: "GPU", queue: "root.b", words: ["Applications in it stay; the queue accepts no new ones and is removed with the last."] },
    ]);
    const single = config(tenants.slice(0, tenants.indexOf("- name: GPU")));
    expect(changes(before, single)).toEqual([{ kind: "gone", partition: "GPU", words: ["Rejected while it has nodes or live applications."] }]);
    expect(changes(single, before).map((one) => [one.kind, one.partition, one.queue])).toEqual([["new", "GPU", undefined], ["new", "GPU", "root"], ["new", "GPU", "root.a"], ["new", "GPU", "root.b"]]);
    const queues = "  queues:\n  - name: root\n    queues:\n    - name: a\n";
    const outline = yamlOutline(`partitions:\n- name: default\n${queues}- name: GPU\n${queues}`).file;
    expect(find(outline, "root.a")).toEqual(find(outline, "root.a", undefined, "default"));
    expect(find(outline, "root.a", undefined, "gpu")?.from).toBeGreaterThan(find(outline, "root.a")?.from ?? Infinity);
  });

  it.each(["queues.yaml", "preempt.yaml", "tenants.yaml", "queues.toml", "second.toml"])("%s comes to the same in the other format, and back", (name) => {
    const from = { text: example(name), format: name.endsWith("toml") ? "toml" : "yaml" } as const;
    const answer = check(from.text, from.format);
    const there = convert(from, answer);
    expect(there?.format).not.toBe(from.format);
    const second = check(there?.text ?? "", there?.format);
    expect(second).toMatchObject({ errors: [], normal: answer.normal });
    const back = there && convert(there, second);
    expect(check(back?.text ?? "", back?.format).normal).toBe(answer.normal);
  });

  it("odd names and values come to the same in TOML", () => {
    const text = 'partitions:\n- nodesortpolicy: {resourceweights: {a.b/c: 1.25}}\n  preemption: {enabled: false, observe: true}\n  queues:\n  - name: root\n    properties: {x y: "\\"q\\" \\\\ \\t\\x7f ü"}\n    queues:\n    - {name: a, parent: true, maxapplications: 3, resources: {max: {vcore: 1m, memory: 1025, nvidia.com/gpu: 0}}}\n';
    const answer = check(text);
    expect(answer.errors).toEqual([]);
    const there = convert({ text, format: "yaml" }, answer);
    expect(check(there?.text ?? "", "toml")).toMatchObject({ errors: [], normal: answer.normal });
  });
});
