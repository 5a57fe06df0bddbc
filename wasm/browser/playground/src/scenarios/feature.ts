/** What a session has seen, and what was decided, as a feature that passes. */

import type { Decision } from "../engine/types";
import type { Input } from "../model/lines";
import { formatDuration, Times } from "../model/times";
import { CannotSay, phrasesOf, type Phrase, type Row } from "./phrases";

export { CannotSay };

/** Of a session. Journal and decisions are JSON Lines. */
export interface Past {
  readonly title: string;
  readonly journal: string;
  readonly decisions: string;
  /** What is later, in nanoseconds of the session, is left out. */
  readonly now: number;
}

/** A longer scenario is too long to read. */
const mostInputs = 200;
const mostDecisions = 500;

/** What happens together: inputs of one instant, and what was decided from the group before up to its end. */
interface Group {
  readonly time: number;
  readonly inputs: readonly Input[];
  /** The seq behind its last decision. */
  readonly until: number;
}

/** Why an allocation ends without an input: a replay ends it when its time is over, or after it was told to leave. */
const endsByItself = new Set(["finished", "preempted", "replaced", "timeout"]);

/** The decisions that tell an allocation to leave. */
const leaves = new Set(["preemption", "placeholder.replaced", "placeholder.timeout", "walltime.exceeded"]);

interface Decided extends Decision {
  readonly time: number;
}

/**
 * Writes a feature of a small session.
 * @throws CannotSay
 */
export function toFeature({ title, journal, decisions, now }: Past): string {
  const times = new Times();
  const inputs = read<Input>(journal).filter(({ type }) => (type as string) !== "journal").map((input) => ({ ...input, time: times.of(input.at) })).filter(({ time }) => time <= now);
  const decided = read<Decision>(decisions).map((d) => ({ ...d, time: times.of(d.at) })).filter(({ time }) => time <= now);
  if (inputs.length === 0) throw new CannotSay("there are no inputs yet, or only the beginning of an instant. Play on, and try again.");
  const count = inputs.reduce((sum, input) => sum + (input.type === "ask.add" ? (input.count ?? 1) : 1), 0);
  if (count > mostInputs) throw new CannotSay(`there are ${count} inputs so far, and a scenario of more than ${mostInputs} is too long to read. Go back to an earlier moment, or begin with a smaller cluster.`);
  if (decided.length > mostDecisions) throw new CannotSay(`there are ${decided.length} decisions so far, and a scenario of more than ${mostDecisions} is too long to read. Go back to an earlier moment.`);
  return written(title, steps(groupsOf(inputs, decided, now), decided));
}

function read<Line>(text: string): Line[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")).map((line) => JSON.parse(line) as Line);
}

/** Orders all that happens into groups; ends that a replay brings about by itself (of run times, of victims) become inputs. */
function groupsOf(inputs: readonly (Input & { time: number })[], decided: readonly Decided[], now: number): readonly Group[] {
  const said = new Set(inputs.filter(({ type }) => type === "allocation.release").map((input) => `${"id" in input ? input.id : ""} ${input.time}`));
  const ends = decided.filter(({ type, id, reason, time }) => type === "release" && endsByItself.has(reason ?? "") && !said.has(`${id ?? ""} ${time}`));
  const moments = [...new Set([...inputs, ...ends].map(({ time }) => time))].sort((a, b) => a - b);
  const groups = moments.flatMap((time) => groupsAt(time, inputs.filter((i) => i.time === time), ends.filter((d) => d.time === time), decided));
  const until = groups.at(-1)?.until ?? 0;
  return decided.some(({ seq }) => seq >= until) ? [...groups, { time: now, inputs: [], until: Infinity }] : groups;
}

/** The groups of one instant: the first, and one after each choice of victims that left at once. */
function groupsAt(time: number, inputs: readonly Input[], ends: readonly Decided[], decided: readonly Decided[]): readonly Group[] {
  const chosen = (end: Decided) => decided.find((d) => leaves.has(d.type) && d.id === end.id && d.time === time && d.seq < end.seq)?.seq;
  const later: Decided[][] = [];
  for (const end of ends) {
    const seq = chosen(end);
    if (seq === undefined) continue;
    const last = later.at(-1);
    if (last?.[0] && seq < last[0].seq) last.push(end);
    else later.push([end]);
  }
  const all = [[...ends.filter((end) => chosen(end) === undefined).map(released), ...inputs], ...later.map((group) => group.map(released))];
  const behind = (decided.findLast((d) => d.time <= time)?.seq ?? 0) + 1;
  return all.map((group, i) => ({ time, inputs: group, until: later[i]?.[0]?.seq ?? behind }));
}

function released({ id = "", at }: Decided): Input {
  return { type: "allocation.release", at, id };
}

interface Step extends Phrase {
  readonly keyword: "Given" | "When" | "And" | "Then";
}

function steps(groups: readonly Group[], decided: readonly Decided[]): readonly Step[] {
  const all: Step[] = [];
  const say = (keyword: "Given" | "When", phrases: readonly Phrase[]) => all.push(...phrases.map((phrase, i) => ({ ...phrase, keyword: i === 0 ? keyword : "And" as const })));
  const brought = new Set<string>();
  let at = 0;
  let from = 1;
  for (const [i, { time, inputs, until }] of groups.entries()) {
    let decisions = decided.filter(({ seq }) => seq >= from && seq < until);
    let rest = inputs;
    if (i === 0 && time === 0) {
      const given = givenOf(inputs, decisions);
      say("Given", phrasesOf(inputs.slice(0, given.inputs), brought));
      rest = inputs.slice(given.inputs);
      decisions = decisions.slice(given.decisions);
    }
    const phrases = [...(time > at ? [{ text: `${formatDuration(time - at)} pass` }] : []), ...phrasesOf(rest, brought)];
    if (phrases.length > 0) {
      say("When", phrases);
      all.push(expected(decisions, time));
    }
    at = time;
    from = until;
  }
  return all;
}

/** How many inputs at the beginning are what is given, a configuration and nodes, and how many decisions tell of them. */
function givenOf(inputs: readonly Input[], decisions: readonly Decided[]): { readonly inputs: number; readonly decisions: number } {
  const first = inputs.findIndex(({ type }) => type !== "config.set" && type !== "node.add");
  const given = first < 0 ? inputs.length : first;
  if (decisions.some(({ type }) => type === "config.rejected" || type === "node.rejected")) return { inputs: 0, decisions: 0 };
  let told = 0;
  const end = decisions.findIndex(({ type }) => {
    if (type === "config.accepted" || type === "node.accepted") return ++told > given;
    return type !== "queue.state";
  });
  return { inputs: given, decisions: end < 0 ? decisions.length : end };
}

function expected(decisions: readonly Decided[], time: number): Step {
  if (decisions.length === 0) return { keyword: "Then", text: "nothing is decided" };
  const late = decisions.some((d) => d.time !== time);
  return { keyword: "Then", text: "the decisions are:", rows: decisions.map((d) => ({ ...(late && { at: formatDuration(d.time) }), ...cells(d) })) };
}

/** What a scenario says of a decision: what it is about, and why. */
function cells({ type, id, queue, node, for: preemptor, from, to, input, policy, reason }: Decided): Row {
  const all = { type, id, queue: id ? undefined : queue, node, for: preemptor, from, to, input, policy, reason };
  return Object.fromEntries(Object.entries(all).filter((cell): cell is [string, string] => cell[1] !== undefined));
}

function written(title: string, list: readonly Step[]): string {
  const name = title.replace(/\s+/g, " ").trim() || "the cluster";
  const lines = [`Feature: ${name}`, "", "  Scenario: what was decided"];
  for (const { keyword, text, rows, block } of list) {
    lines.push(`    ${keyword} ${text}`);
    if (rows) lines.push(...table(rows));
    if (block) lines.push(`      """${block.kind}`, ...block.text.trimEnd().split("\n").map((line) => (line ? `      ${line.replaceAll('"""', '\\"\\"\\"')}` : "")), '      """');
  }
  return `${lines.join("\n")}\n`;
}

/** A table with its columns in line; those that nothing stands in are left out. */
function table(rows: readonly Row[]): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? "")))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  return lines.map((line) => `      | ${line.map((text, i) => text.padEnd(widths[i] ?? 0)).join(" | ")} |`);
}

function cell(text: string): string {
  if (text !== text.trim() || /[\r\n]/.test(text)) throw new CannotSay(`the name ${JSON.stringify(text)} begins or ends with a space, or has two lines.`);
  return text.replaceAll("\\", "\\\\").replaceAll("|", "\\|");
}
