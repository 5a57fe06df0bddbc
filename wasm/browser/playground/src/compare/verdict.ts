/** What a comparison comes to, in two or three sentences. host/report/summary/verdict.go says the same of recorded runs; both are held against one list of cases. */

import { second } from "../model/times";
import { duration, whole } from "../ui/format";
import { listed } from "../why/words";
import { evidence, fewestSeeds, median, paired, type Pairs } from "./evidence";

/** Counts, milliseconds, and millionths of shares and indexes. */
type Unit = "count" | "time" | "part";

/** A figure in sentences: "waits 12% less at p99", "preempts 3 instead of 0". */
interface Words {
  readonly noun: string;
  readonly unit: Unit;
  readonly verb: string;
  readonly less: string;
  readonly more: string;
  readonly as: string;
  /** What comes last; with the figure itself in place of a change, `tailOfValue` where it is another. */
  readonly tail?: string;
  readonly tailOfValue?: string;
}

/** By the measures of --fail-if, in the order in which people ask. */
const words: Readonly<Record<string, Words>> = {
  "wait.p99": { noun: "the wait at p99", unit: "time", verb: "waits", less: "less", more: "longer", as: "as long", tail: " at p99" },
  "wait.mean": { noun: "the mean wait", unit: "time", verb: "waits", less: "less", more: "longer", as: "as long", tail: " on average" },
  "wait.max": { noun: "the longest wait", unit: "time", verb: "waits", less: "less", more: "longer", as: "as long", tail: " at most" },
  "pending": { noun: "pending asks", unit: "count", verb: "leaves", less: "fewer asks", more: "more asks", as: "as many asks", tail: " pending" },
  "allocated": { noun: "allocated asks", unit: "count", verb: "allocates", less: "fewer asks", more: "more asks", as: "as many asks" },
  "preempted": { noun: "preemptions", unit: "count", verb: "preempts", less: "less often", more: "more often", as: "as often" },
  "makespan": { noun: "makespan", unit: "time", verb: "takes", less: "less time", more: "more time", as: "as much time", tail: " in all" },
  "fairness": { noun: "fairness", unit: "part", verb: "shares", less: "less evenly", more: "more evenly", as: "as evenly" },
};
const verbsOfTypes: Readonly<Record<string, string>> = { stranded: "strands", used: "uses" };

function wordsOf(key: string): Words | undefined {
  const [, what = "", type = ""] = /^(\w+)\[(.*)\]$/.exec(key) ?? [];
  const verb = verbsOfTypes[what];
  if (!verb) return words[key];
  return { noun: `${what} ${type}`, unit: "part", verb, less: `less ${type}`, more: `more ${type}`, as: `as much ${type}`, tailOfValue: ` of the ${type}` };
}

export interface Figure extends Pairs {
  /** A measure of --fail-if, or fairness, stranded[TYPE], used[TYPE]. */
  readonly key: string;
}

const mostClaims = 4;

/** Figures that have no words are left out. */
export function verdictText(a: string, b: string, figures: readonly Figure[]): string {
  const runs = figures[0]?.a.length ?? 0;
  const [noise, few]: [string[], string[]] = [[], []];
  const claims: Claim[] = [];
  let differ = false;
  for (const figure of figures) {
    const say = wordsOf(figure.key);
    const found = evidence(figure);
    if (!say || found === "same") continue;
    differ = true;
    if (found === "noise") noise.push(say.noun);
    else if (found === "few") few.push(say.noun);
    else claims.push(...claim(say, figure));
  }
  if (!differ) return `Compared with ${a}, ${b} has the same figures.`;
  const lead = `Compared with ${a}, ${b} `;
  if (few.length > 0) return `${lead}differs in ${listed(fewOf(few))}, but ${runs} seeds are too few to tell that from noise: ${fewestSeeds} are needed.`;
  return [
    `${lead}${claims.length > 0 ? listed(withVerbs(claims.slice(0, mostClaims))) : nothing(noise.length)}.`,
    ...(claims.length > mostClaims ? [moreText(claims.length - mostClaims)] : []),
    ...(noise.length > 0 ? [`Differences in ${listed(fewOf(noise))} are within the noise of ${runs} seeds.`] : []),
  ].join(" ");
}

function nothing(noise: number): string {
  return noise > 0 ? "makes no consistent difference of 1% or more" : "differs by less than 1% in every figure";
}

interface Claim {
  readonly verb: string;
  readonly rest: string;
}

/** Claims of one verb name it once. */
function withVerbs(claims: readonly Claim[]): string[] {
  return claims.map(({ verb, rest }, i) => (claims[i - 1]?.verb === verb ? rest : `${verb} ${rest}`));
}

/** The words of a difference that holds; none where it is below one percent. */
function claim({ unit, verb, less, more, as, tail = "", tailOfValue = tail }: Words, figure: Figure): Claim[] {
  const from = median(figure.a);
  const by = median(paired(figure));
  const to = Math.max(0, from + by);
  if (Math.min(from, to) <= 0 || (unit === "count" && Math.max(from, to) < 10)) return [{ verb, rest: `${valueText(unit, to)}${tailOfValue} instead of ${valueText(unit, from)}` }];
  const degree = degreeText(from, to, less, more, as);
  return degree === "" ? [] : [{ verb, rest: `${degree}${tail}` }];
}

function degreeText(from: number, to: number, less: string, more: string, as: string): string {
  const hundredths = quotient(100 * to, from);
  if (hundredths >= 195 && hundredths <= 205) return `twice ${as}`;
  if (hundredths > 205) return `${quotient(10 * to, from) / 10} times ${as}`;
  if (hundredths >= 48 && hundredths <= 52) return `half ${as}`;
  if (hundredths === 100) return "";
  return `${Math.abs(hundredths - 100)}% ${hundredths < 100 ? less : more}`;
}

/** Rounded to the nearest, halves up. */
function quotient(above: number, below: number): number {
  return Math.floor((2 * above + below) / (2 * below));
}

function valueText(unit: Unit, value: number): string {
  if (unit === "count") return whole(value);
  return unit === "time" ? duration(value * (second / 1000)) : `${quotient(Math.max(value, 0), 10_000)}%`;
}

const mostNouns = 3;

function fewOf(nouns: readonly string[]): readonly string[] {
  return nouns.length <= mostNouns ? nouns : [...nouns.slice(0, mostNouns - 1), `${nouns.length - mostNouns + 1} more figures`];
}

function moreText(n: number): string {
  return n === 1 ? "One more figure differs." : `${n} more figures differ.`;
}
