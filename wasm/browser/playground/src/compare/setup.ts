/** A set-up: a workload's own configurations with policies in them, and the modules that these need. */

import type { Engine } from "../engine/client";
import { fieldsOf, firstTime, inputsOf } from "../engine/journal";
import { policyLine } from "../engine/policy-line";
import type { Configuration, Module, Scenario } from "../model/scenario";
import { hasQueue, withPolicies, type Policies } from "./configuration";

export interface Setup {
  /** By point; what is not named decides as the workload says. */
  readonly policies: Policies;
  /** The queue that they are for, with those below it. */
  readonly queue: string;
  readonly modules: readonly Module[];
}

/** The default configuration, as in the scheduler. */
export const unset: Configuration = { text: "partitions: [{queues: [{name: default}]}]", format: "yaml" };

/** Loads the modules of a set-up into an engine, and writes the workload as it is under this set-up. */
export async function applied(engine: Engine, workload: Scenario, setup: Setup): Promise<Scenario> {
  const modules = [...(workload.modules ?? []), ...setup.modules];
  for (const { name, bytes, limits } of modules) await engine.request("policy.load", { name, limits }, bytes);
  const lines = inputsOf(workload.journal);
  const at = firstTime(lines);
  const announced = await Promise.all(modules.filter((module) => setup.modules.includes(module) || !names(lines, module)).map((module) => policyLine(engine, { ...module, parameters: { ...module.parameters }, at })));
  const config = workload.config ?? (lines.some(setsConfig) ? undefined : unset);
  const first = config ? [JSON.stringify({ at, type: "config.set", config: config.text, format: config.format })] : [];
  const configured = [...first, ...lines];
  if (Object.keys(setup.policies).length > 0) await reconfigure(engine, configured, setup);
  const journal = ['{"type":"journal","version":1}', ...announced, ...configured].map((line) => `${line}\n`).join("");
  return { ...workload, lesson: undefined, journal, config: undefined, modules }; // what a lesson says need not be true of it
}

/** Puts the policies into every configuration. One that cannot be read stays as it is: the scheduler refuses it, and says why. */
async function reconfigure(engine: Engine, lines: string[], { policies, queue }: Setup): Promise<void> {
  let found = false;
  for (const [i, line] of lines.entries()) {
    if (!setsConfig(line)) continue;
    const { config = "", format, ...input } = fieldsOf(line) as { config?: string; format?: string };
    const { answer } = await engine.request("check", { format }, config);
    if (answer.normal === undefined || !hasQueue(answer.normal, queue)) continue;
    found = true;
    lines[i] = JSON.stringify({ ...input, config: withPolicies(answer.normal, policies, queue), format: "yaml" });
  }
  if (!found) throw new Error(`expected a configuration with the queue ${queue}, found none in the workload`);
}

function setsConfig(line: string): boolean {
  return line.includes('"config.set"');
}

function names(lines: readonly string[], { name }: Module): boolean {
  return lines.some((line) => line.includes('"policy.set"') && fieldsOf(line).name === name);
}
