import { beforeAll, describe, expect, it } from "vitest";
import { startCore, type Ask } from "../../engine/core.fixture";
import { hasCore } from "../../engine/here";
import type { Config } from "../../engine/types";
import type { Configuration } from "../../model/scenario";
import { partitionsOf, queuesOf } from "../changes";
import { convert } from "../convert";
import { accessWords, limitWords, ruleWords, templateWords } from "../lists";
import { sameBeside } from "./beside";
import { rewrite, type Edits, type Home } from "./rewrite";
import { emptyLimit, emptyRule, limitDraft, limitValue, ruleDraft, ruleValue, templateDraft, templateValue, accessDraft, accessValue } from "./sections";

const yaml = `# All that runs here.
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"   # everybody
    queues:
    - name: lab  # students
      # who may have how much
      limits:
      - limit: each student
        users: ["*"]
        maxresources: {vcore: 4}

      # the end of the list
      queues:
      - name: jobs
      - {name: flow, maxapplications: 5}
    - name: users
      parent: true
- name: GPU
  placementrules:
  - name: user   # first
    create: true
  - name: provided
  queues:
  - name: root
    queues:
    - name: lab
`;
const toml = `# All that runs here.
[[partitions]]
name = "default"
[[partitions.queues]]
name = "root"
submitacl = "*" # everybody
[[partitions.queues.queues]] # students
name = "lab"
# jobs in it
[[partitions.queues.queues.limits]]
limit = "each student"
users = ["*"]
[partitions.queues.queues.limits.maxresources]
vcore = 4
[[partitions.queues.queues.queues]]
name = "jobs"
[[partitions.queues.queues]]
name = "users"
parent = true
childtemplate.maxapplications = 2
childtemplate.resources.max = { vcore = 1 } # small
[[partitions]]
name = "GPU"
placementrules = [
  { name = "user", create = true },
  { name = "provided" },
]
queues = [ { name = "root", queues = [ { name = "lab" } ] } ]
`;

const limits = [limitValue({ ...emptyLimit, description: "yes: a \"word\", # not a comment", users: "ann, bob", max: [{ type: "vcore", amount: "2" }, { type: "nvidia.com/gpu", amount: "1" }, { type: "memory", amount: "" }], applications: "3" }),
  limitValue({ ...emptyLimit, groups: "*", max: [{ type: "memory", amount: "4Gi" }] }), limitValue({ ...emptyLimit, users: "*", applications: "1" })];
limits[1] = limitValue({ ...emptyLimit, groups: "dev", max: [{ type: "memory", amount: "4Gi" }] });
const limitsSaid = ["users ann, bob: max 2 vcore, 1 nvidia.com/gpu, 3 applications (yes: a \"word\", # not a comment)", "groups dev: max 4Gi memory", "users *: 1 application"];
const rules = [
  ruleValue({ ...emptyRule, filter: "deny", groups: "interns" }),
  ruleValue({ ...emptyRule, name: "tag", value: "namespace", create: true, parent: { ...emptyRule, name: "fixed", value: "users", filter: "allow", users: "^dev-.{1,3}$" } }),
];
const rulesSaid = ["provided; not for groups interns", "tag namespace, makes queues; below: fixed users; only for users ^dev-.{1,3}$"];
const template = templateValue({ given: true, applications: "5", guaranteed: [{ type: "vcore", amount: "500m" }], max: [{ type: "vcore", amount: "2" }], properties: [{ name: "application.sort.policy", value: "fair" }, { name: "priority.offset", value: "7" }, { name: " ", value: "x" }] });
const templateSaid = "guaranteed 0.5 vcore; max 2 vcore; maxapplications 5; application.sort.policy fair; priority.offset 7";

describe.skipIf(!hasCore)("a form's part of a text (needs build/core.wasm)", () => {
  let ask: Ask;
  beforeAll(async () => {
    ask = await startCore();
  });

  const read = ({ text, format }: Configuration): Config => {
    const { configuration, errors } = ask("check", { format, file: "configuration" }, text).answer;
    if (!configuration) throw new Error(`${JSON.stringify(errors)} in\n${text}`);
    return configuration;
  };
  const queueOf = (config: Config, { partition, queue }: Home) =>
    partitionsOf(config).filter((one, i) => (partition === undefined ? i === 0 : one.partition === partition)).flatMap(queuesOf).find((q) => q.path === queue);
  /** The text with edits, of which the scheduler says that nothing else has changed. */
  const edit = (of: Configuration, home: Home, edits: Edits): Configuration => {
    const after = rewrite(of, home, edits);
    if (!after) throw new Error("the text does not name it");
    expect(sameBeside(read(of), read(after), home, Object.keys(edits)), after.text).toBe(true);
    return after;
  };

  describe.each([["yaml", yaml], ["toml", toml]] as const)("in %s", (format, text) => {
    const of = { format, text };

    it.each([
      ["root"], ["root.lab"], ["root.lab.jobs"], ["root.users"], ...(format === "yaml" ? [["root.lab.flow"]] : []),
    ])("limits of %s are written, and taken out", (queue) => {
      const home = { queue };
      const after = edit(of, home, { limits });
      expect(queueOf(read(after), home)?.limits?.map(limitWords)).toEqual(limitsSaid);
      const without = edit(after, home, { limits: undefined });
      expect(queueOf(read(without), home)?.limits).toBeUndefined();
      expect(without.text).not.toContain("ann");
    });

    it("rules are written, in their order, and taken out", () => {
      for (const [partition, index, most] of [[undefined, 0, 2], ["GPU", 1, 1]] as const) {
        const after = edit(of, { partition }, { placementrules: rules.slice(0, most) });
        expect(partitionsOf(read(after))[index]?.rules?.map(ruleWords)).toEqual(rulesSaid.slice(0, most));
        const without = edit(after, { partition }, { placementrules: undefined });
        expect(partitionsOf(read(without))[index]?.rules ?? []).toEqual([]);
      }
    });

    it("a template and access lists are written, and taken out", () => {
      for (const home of [{ queue: "root" }, { queue: "root.users" }, { partition: "GPU", queue: "root" }]) {
        const access = { submitacl: accessValue({ who: "named", users: "ann,  bob", groups: "dev" }), adminacl: accessValue({ who: "named", users: "", groups: "ops" }) };
        const after = edit(of, home, { childtemplate: template, ...access });
        const found = queueOf(read(after), home);
        expect(templateWords(found?.template)).toBe(templateSaid);
        expect([accessWords(found?.submitACL), accessWords(found?.adminACL)]).toEqual(["users ann, bob and groups dev", "groups ops"]);
        const without = queueOf(read(edit(after, home, { childtemplate: undefined, submitacl: undefined, adminacl: "" })), home);
        expect([without?.template, without?.submitACL, accessWords(without?.adminACL)]).toEqual([undefined, undefined, "no users"]);
      }
    });

    it("comments beside it stay", () => {
      const comments = (text: string) => text.match(/#[^"\n]*$/gm);
      const after = edit(of, { queue: "root.users" }, { limits });
      expect(comments(after.text)).toEqual(comments(text));
      expect(edit(after, { queue: "root.users" }, { limits: undefined }).text).toBe(text);
    });

    it("what the text does not name is not written", () => {
      expect(rewrite(of, { queue: "root.none" }, { limits })).toBeUndefined();
      expect(rewrite(of, { partition: "none" }, { placementrules: rules })).toBeUndefined();
      expect(rewrite(of, { partition: "GPU", queue: "root.users" }, { limits })).toBeUndefined();
    });
  });

  it("is where a reader looks for it: before the queues below, in the form of the text", () => {
    expect(edit({ format: "yaml", text: yaml }, { queue: "root.lab" }, { limits: [limitValue({ ...emptyLimit, users: "ann", applications: "2" })] }).text).toContain(`    - name: lab  # students
      # who may have how much
      limits:
      - users: [ann]
        maxapplications: 2

      # the end of the list
      queues:
      - name: jobs
`);
    expect(edit({ format: "yaml", text: yaml }, {}, { placementrules: rules }).text).toContain(`- name: default
  placementrules:
  - name: provided
    filter: {type: deny, groups: [interns]}
  - name: tag
    create: true
    value: namespace
    parent: {name: fixed, value: users, filter: {type: allow, users: ["^dev-.{1,3}$"]}}
  queues:
`);
    expect(edit({ format: "toml", text: toml }, { queue: "root.users" }, { childtemplate: template }).text).toContain(`name = "users"
parent = true
childtemplate = { maxapplications = 5, resources = { guaranteed = { vcore = "500m" }, max = { vcore = 2 } }, properties = { "application.sort.policy" = "fair", "priority.offset" = "7" } }
[[partitions]]
`);
  });

  it.each([
    ["the first key of an item", "partitions:\n- limits: [{users: [ann], maxapplications: 1}]\n  queues:\n  - name: root\n", "partitions:\n- queues:\n  - name: root\n"],
    ["a list over lines in brackets", "partitions:\n- queues:\n  - name: root\n    limits: [\n      {users: [ann],\n       maxapplications: 1},\n    ]\n    queues:\n    - name: a\n", "partitions:\n- queues:\n  - name: root\n    queues:\n    - name: a\n"],
    ["a list that is as deep as its key", "partitions:\n- queues:\n  - name: root\n    limits:\n    # first\n    - users: [ann]\n      maxapplications: 1\n  nodesortpolicy: {type: fair}\n", "partitions:\n- queues:\n  - name: root\n  nodesortpolicy: {type: fair}\n"],
    ["a key in quotes, the last of the text", "partitions:\n- queues:\n  - name: root\n    \"limits\":\n      - users: [ann]\n        maxapplications: 1", "partitions:\n- queues:\n  - name: root"],
    ["what is all in braces", "partitions: [{queues: [{limits: [{users: [ann], maxapplications: 1}], name: root}]}]\n", "partitions: [{queues: [{name: root}]}]\n"],
  ])("limits are taken out of %s", (_, text, after) => {
    expect(edit({ format: "yaml", text }, { queue: "root" }, { limits: undefined }).text).toBe(after);
  });

  it("a form begins with what the scheduler read", () => {
    const config = read(edit(edit(edit({ format: "yaml", text: yaml }, { queue: "root.users" }, { limits, childtemplate: template }), {}, { placementrules: rules }), { queue: "root.lab" }, { submitacl: " ops" }));
    const users = queueOf(config, { queue: "root.users" });
    expect(users?.limits?.map((one) => limitValue(limitDraft(one)))).toEqual([...limits]);
    expect(config.rules?.map((one) => ruleValue(ruleDraft(one)))).toEqual(rules);
    expect(templateValue(templateDraft(users?.template))).toEqual({ ...(template as object), resources: { guaranteed: { vcore: 0.5 }, max: { vcore: 2 } } });
    expect(accessValue(accessDraft(queueOf(config, { queue: "root.lab" })?.submitACL))).toBe(" ops");
    expect([accessValue(accessDraft(undefined)), accessValue(accessDraft({})), accessValue(accessDraft({ users: ["*"] }))]).toEqual([undefined, "", "*"]);
  });

  it("what a reader wrote wrong is told by the scheduler, at its key", () => {
    const wrong = [limitValue({ ...emptyLimit, users: "1x", max: [{ type: "vcore", amount: "4x" }], applications: "many" }), limitValue(emptyLimit)];
    for (const of of [{ format: "yaml", text: yaml }, { format: "toml", text: toml }] as const) {
      const after = rewrite(of, { queue: "root.users" }, { limits: wrong });
      const { errors } = ask("check", { format: of.format, file: "configuration" }, after?.text).answer;
      expect(errors.map(({ queue, key }) => [queue, key])).toEqual([
        ["root.users", "limits[1].users[1]"], ["root.users", "limits[1].maxresources.vcore"], ["root.users", "limits[1].maxapplications"], ["root.users", "limits[2]"], ["root.users", "limits[2]"],
      ]);
    }
  });

  it("goes through the other format and back", () => {
    const before = edit(edit({ format: "yaml", text: yaml }, { queue: "root.users" }, { limits, childtemplate: template }), {}, { placementrules: rules });
    const there = convert(before, ask("check", { format: "yaml", file: "configuration" }, before.text).answer);
    expect(there && sameBeside(read(there), read(before), {}, [])).toBe(true);
  });

  it("a change beside it is noticed", () => {
    const before = read({ format: "yaml", text: yaml });
    const other = read({ format: "yaml", text: yaml.replace("maxapplications: 5", "maxapplications: 6") });
    const same = read({ format: "yaml", text: yaml.replace("vcore: 4", "vcore: 5") });
    expect(sameBeside(before, other, { queue: "root.lab" }, ["limits"])).toBe(false);
    expect(sameBeside(before, same, { queue: "root.lab" }, ["limits"])).toBe(true);
    expect(sameBeside(before, same, { queue: "root.lab" }, ["childtemplate"])).toBe(false);
    expect(sameBeside(before, same, { partition: "GPU", queue: "root.lab" }, ["limits"])).toBe(false);
  });
});
