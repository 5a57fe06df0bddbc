/** Scenarios and lessons in the fragment of the address: what is behind # never leaves the browser. */

import type { Scenario } from "../model/scenario";
import { say } from "../state/notices";
import { BadPack, pack, unpack } from "./packed";

/** Longer links are cut by mail programs and chats. */
export const longest = 16_000;

/** The most that a fragment may unpack to, in bytes. */
const mostUnpacked = 4 << 20;

/** Whether the page is part of another one, and shows only the cluster. */
export const embedded = typeof location !== "undefined" && parameters(location.hash).get("embed") === "1";

/** The fragment that names a lesson, and a step of it. */
export function lessonFragment(name: string, index = 0): string {
  return `#lesson=${name}${index === 0 ? "" : `&step=${index + 1}`}`;
}

/** The scenario of a fragment, #s=…; undefined: there is none, or it cannot be read, which the page then says. */
export async function fromFragment(hash: string): Promise<Scenario | undefined> {
  const packed = parameters(hash).get("s");
  if (packed === null) return undefined;
  try {
    return read(JSON.parse(await unpack(packed, mostUnpacked)) as unknown);
  } catch (thrown) {
    const why = thrown instanceof BadPack ? thrown.message : "expected a scenario, found something else";
    say("error", `The scenario in the link cannot be opened: ${why}. The link may have been cut: copy it again as a whole.`);
    return undefined;
  }
}

/** A scenario as a fragment. Its modules stay behind: a link has no room for them. */
export function toFragment(scenario: Scenario): Promise<string> {
  return pack(JSON.stringify(write(scenario))).then((packed) => `#s=${packed}`);
}

/** A scenario in short: its names cost space in each link. */
interface Compact {
  readonly t: string;
  readonly l?: string;
  readonly j: string;
  readonly c?: string;
  readonly f?: "toml";
  readonly g?: number;
  readonly b?: number;
  /** 0: as fast as it goes. */
  readonly v?: number;
}

function write({ title, lesson, journal, config, grace, begin, speed }: Scenario): Compact {
  return {
    t: title, j: journal,
    ...(lesson !== undefined && { l: lesson }),
    ...(config && { c: config.text }),
    ...(config?.format === "toml" && { f: config.format }),
    ...(grace && { g: grace }),
    ...(begin && { b: begin }),
    ...(speed !== undefined && { v: Number.isFinite(speed) ? speed : 0 }),
  };
}

function read(said: unknown): Scenario {
  if (typeof said !== "object" || said === null) throw new BadPack("expected a scenario, found something else");
  const { t, l, j, c, f, g, b, v } = said as Partial<Record<keyof Compact, unknown>>;
  const speed = amount("speed", v);
  return {
    title: text("title", t), journal: text("journal", j),
    ...(l !== undefined && { lesson: text("lesson", l) }),
    ...(c !== undefined && { config: { text: text("configuration", c), format: f === "toml" ? "toml" : "yaml" } }),
    ...(g !== undefined && { grace: amount("grace", g) }),
    ...(b !== undefined && { begin: amount("begin", b) }),
    ...(speed !== undefined && { speed: speed === 0 ? Infinity : speed }),
  };
}

function text(name: string, value: unknown): string {
  if (typeof value !== "string") throw new BadPack(`${name}: expected a text, found ${typeof value}`);
  return value;
}

/** A number that makes sense: not below zero, and no more seconds than a journal can count. */
function amount(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !(value >= 0 && value <= 9e9)) throw new BadPack(`${name}: expected a number from 0, found ${JSON.stringify(value)}`);
  return value;
}

function parameters(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#/, ""));
}
