/**
 * Puts policies into a configuration.
 *
 * The text that a user wrote may be YAML in any style, or TOML, so what is changed is its normal form (`check` gives it):
 * the same content, two blanks a level, one key a line. As `quern policy try` does, a policy also takes the place of
 * those that queues below name for themselves.
 */

/** The points that a configuration names a policy for. */
export const namedPoints = ["app.order", "queue.order", "ask.order", "node.score"] as const;
export type NamedPoint = (typeof namedPoints)[number];

/** By point: the property that names a queue's policy. */
const propertyOf: Readonly<Record<Exclude<NamedPoint, "node.score">, string>> = {
  "app.order": "application.sort.policy",
  "queue.order": "queue.sort.policy",
  "ask.order": "ask.sort.policy",
};

/** The policies to put in, by point; what is not named stays as it is. */
export type Policies = Readonly<Partial<Record<NamedPoint, string>>>;

/** The normal form with the policies in it, for a queue and those below it; nodes have one order for all. */
export function withPolicies(normal: string, policies: Policies, queue = "root"): string {
  const lines = normal.split("\n");
  if (policies["node.score"] !== undefined) setNodeSort(lines, policies["node.score"]);
  for (const [point, key] of Object.entries(propertyOf)) {
    const name = policies[point as keyof typeof propertyOf];
    if (name !== undefined) setProperty(lines, queue, key, name);
  }
  return lines.join("\n");
}

export function hasQueue(normal: string, queue: string): boolean {
  return queuesOf(normal.split("\n")).some(({ path }) => path === queue);
}

function setNodeSort(lines: string[], name: string): void {
  const at = lines.indexOf("  nodesortpolicy:") + 1;
  if (at > 0) lines[at] = `    type: ${written(name)}`;
}

/** Gives the queue a property, and every queue below that has one of its own. From the end, so that lines above stay where they are. */
function setProperty(lines: string[], queue: string, key: string, value: string): void {
  for (const found of queuesOf(lines).reverse()) {
    const chosen = found.path === queue;
    if (!chosen && !found.path.startsWith(`${queue}.`)) continue;
    const properties = found.attributes.find((at) => lines[at] === `${found.inside}properties:`);
    const own = properties === undefined ? undefined : found.deeper.find((at) => lines[at]?.startsWith(`${found.inside}  ${key}:`));
    const line = `${found.inside}  ${key}: ${written(value)}`;
    if (own !== undefined) lines[own] = line;
    else if (chosen && properties !== undefined) lines.splice(properties + 1, 0, line);
    else if (chosen) lines.splice(found.line + 1, 0, `${found.inside}properties:`, line);
  }
}

/** A queue of the normal form: where its name stands, and the lines of its keys and of what is in them. */
interface QueueLines {
  readonly path: string;
  readonly line: number;
  /** What its keys are indented by. */
  readonly inside: string;
  readonly attributes: readonly number[];
  readonly deeper: readonly number[];
}

function queuesOf(lines: readonly string[]): QueueLines[] {
  const all: (QueueLines & { attributes: number[]; deeper: number[] })[] = [];
  const open: (typeof all)[number][] = [];
  for (const [i, line] of lines.entries()) {
    const name = /^( {2,})- name: (.*)$/.exec(line);
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (name) {
      const inside = `${name[1] ?? ""}  `;
      while ((open.at(-1)?.inside.length ?? 0) >= inside.length) open.pop();
      const above = open.at(-1);
      const queue = { path: `${above ? `${above.path}.` : ""}${read(name[2] ?? "")}`, line: i, inside, attributes: [], deeper: [] };
      all.push(queue);
      open.push(queue);
      continue;
    }
    const current = open.at(-1);
    if (current?.inside.length === indent) current.attributes.push(i);
    else if (current && indent > current.inside.length) current.deeper.push(i);
  }
  return all;
}

function read(scalar: string): string {
  return scalar.startsWith('"') ? (JSON.parse(scalar) as string) : scalar;
}

/** Names of policies are letters, digits and . _ -, but some of those are no texts in YAML. */
function written(name: string): string {
  return /^[a-z][a-z0-9._-]*$/.test(name) && !/^(null|true|false|yes|no|on|off|y|n)$/.test(name) ? name : JSON.stringify(name);
}
