/** The configuration as the host has it: reading, trying, putting in force, and what was in force before. */

import type { Configuration } from "../../model/scenario";
import { send } from "../host/api";

/** A configuration in force, and the tag that a change of it has to name. */
export interface InForce {
  readonly configuration: Configuration;
  readonly tag: string;
  /** Why the watched file is not in force; "": it is, or none is watched. */
  readonly fault: string;
}

export interface Difference {
  /** "": a key of a partition. */
  readonly queue?: string;
  /** Left out: the queue as a whole. */
  readonly key?: string;
  readonly change: "added" | "removed" | "changed";
  readonly from?: string;
  readonly to?: string;
}

export interface Trial {
  readonly warnings: readonly string[];
  /** Undefined: who asks may only have a text checked. */
  readonly differences: readonly Difference[] | undefined;
}

export interface Entry {
  readonly number: number;
  readonly at: string;
  readonly by?: string;
  /** Such as api or file. */
  readonly source: string;
  readonly file?: string;
  readonly sha256: string;
  readonly format: string;
  readonly bytes: number;
  readonly etag: string;
}

export async function readInForce(): Promise<InForce> {
  const response = await send("v1/config");
  return {
    configuration: { text: tidy(await response.text()), format: formatOf(response) }, tag: response.headers.get("ETag") ?? "",
    fault: response.headers.get("Quern-Config-File-Error") ?? "",
  };
}

export async function readHistory(): Promise<readonly Entry[]> {
  const response = await send("v1/config/history");
  return (await response.json() as { items: Entry[] }).items;
}

export async function readPast(number: number): Promise<Configuration> {
  const response = await send(`v1/config/history/${number}`);
  return { text: tidy(await response.text()), format: formatOf(response) };
}

/** What a text would change. */
export async function dryRun(of: Configuration): Promise<Trial> {
  const response = await send("v1/config?dry-run=true", { method: "PUT", headers: headersOf(of), body: of.text });
  const { warnings, differences = [] } = await response.json() as { warnings: string[]; differences?: Difference[] };
  return { warnings, differences };
}

export async function validate(of: Configuration): Promise<Trial> {
  const response = await send("v1/config/validate", { method: "POST", headers: headersOf(of), body: of.text });
  return { warnings: (await response.json() as { warnings: string[] }).warnings, differences: undefined };
}

/** Puts a text in force in place of the one with a tag. */
export async function put(of: Configuration, tag: string): Promise<readonly string[]> {
  const response = await send("v1/config", { method: "PUT", headers: { ...headersOf(of), "If-Match": tag }, body: of.text });
  return (await response.json() as { warnings: string[] }).warnings;
}

const headersOf = ({ format }: Configuration) => ({ "Content-Type": `application/${format}` });

function formatOf(response: Response): Configuration["format"] {
  return (response.headers.get("Content-Type") ?? "").includes("toml") ? "toml" : "yaml";
}

/** Ends of lines as the editor has them. */
const tidy = (text: string): string => text.replace(/\r\n?/g, "\n");
