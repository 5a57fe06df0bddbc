import type { Engine } from "./client";
import type { Heads } from "./types";

/** The journal line with which a module that is loaded acts from a time on. */
export async function policyLine(engine: Engine, { name, parameters, at }: Heads["policy.line"]): Promise<string> {
  const { body } = await engine.request("policy.line", { name, parameters, at });
  return new TextDecoder().decode(body).trimEnd();
}
