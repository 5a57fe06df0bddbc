import { expect, test } from "vitest";
import { withPolicies } from "./configuration";

const normal = `partitions:
- name: default
  nodesortpolicy:
    type: fair
    resourceweights:
      vcore: 1
  preemption:
    enabled: true
  queues:
  - name: root
    queues:
    - name: a
      resources:
        guaranteed:
          vcore: 2000m
      properties:
        application.sort.policy: fair
        priority.offset: "1"
    - name: "p#1"
      properties:
        queue.sort.policy: mine
      queues:
      - name: q
      - name: r
        properties:
          application.sort.policy: stateaware
`;

/** What differs, as lines taken out and put in. */
function changes(changed: string): string[] {
  const [before, after] = [normal.split("\n"), changed.split("\n")];
  const list: string[] = [];
  for (let i = 0, j = 0; j < after.length; j++) {
    if (before[i] === after[j]) i++;
    else if (before[i + 1] === after[j + 1]) list.push(`${before[i++] ?? ""} → ${after[j] ?? ""}`);
    else list.push(`+ ${after[j] ?? ""}`);
  }
  return list;
}

test("a policy stands at the root and wherever another stood", () => {
  expect(changes(withPolicies(normal, { "app.order": "x", "node.score": "z" }))).toEqual([
    "    type: fair →     type: z",
    "+     properties:",
    "+       application.sort.policy: x",
    "        application.sort.policy: fair →         application.sort.policy: x",
    "          application.sort.policy: stateaware →           application.sort.policy: x",
  ]);
});

test("a policy of a queue leaves the others alone", () => {
  expect(changes(withPolicies(normal, { "app.order": "x" }, "root.p#1"))).toEqual([
    "+         application.sort.policy: x",
    "          application.sort.policy: stateaware →           application.sort.policy: x",
  ]);
  expect(changes(withPolicies(normal, { "ask.order": "x" }, "root.p#1.q"))).toEqual(["+         properties:", "+           ask.sort.policy: x"]);
});

test("two points of one queue share its properties", () => {
  const changed = withPolicies(normal, { "queue.order": "x", "ask.order": "z" });
  expect(changed).toContain("  - name: root\n    properties:\n      ask.sort.policy: z\n      queue.sort.policy: x\n    queues:");
  expect(changed).toContain("        queue.sort.policy: x\n      queues:");
});

test("names that YAML takes for something else are quoted", () => {
  for (const name of ["2nd", "off", "no"]) expect(withPolicies(normal, { "node.score": name })).toContain(`type: "${name}"`);
});

test("nothing to put in changes nothing", () => {
  expect(withPolicies(normal, {})).toBe(normal);
});
