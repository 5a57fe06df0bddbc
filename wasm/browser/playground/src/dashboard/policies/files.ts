/** Files of policy modules, on their way to the folder of the host. */

import { part, read, send } from "../host/api";
import type { PolicyObject } from "../host/objects";

/** The files of one module: NAME.wasm, NAME.toml, or both. */
export interface Upload {
  readonly name: string;
  readonly module?: File;
  readonly settings?: File;
}

export interface Uploads {
  /** By name. */
  readonly list: readonly Upload[];
  /** The names of files that are neither a module nor settings. */
  readonly others: readonly string[];
}

/** Puts files together by the modules that they belong to. */
export function uploadsOf(files: readonly File[]): Uploads {
  const found = new Map<string, Upload>();
  const others: string[] = [];
  for (const file of files) {
    const [, name = "", ending] = /^(.+)\.(wasm|toml)$/.exec(file.name) ?? [];
    if (ending === undefined) others.push(file.name);
    else found.set(name, { ...found.get(name), name, [ending === "wasm" ? "module" : "settings"]: file });
  }
  return { list: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), others };
}

const pathOf = (name: string) => `v1/policies/${part(name)}`;

/** Hands a module to the host, which proves it first. */
export async function upload({ name, module, settings }: Upload): Promise<void> {
  if (module && settings) {
    const form = new FormData();
    form.set("module", module);
    form.set("settings", settings);
    await send(pathOf(name), { method: "PUT", body: form });
    return;
  }
  const kind = module ? "application/wasm" : "application/toml";
  await send(pathOf(name), { method: "PUT", headers: { "Content-Type": kind }, body: module ?? settings });
}

export async function rollBack(name: string): Promise<void> {
  await send(`${pathOf(name)}/rollback`, { method: "POST" });
}

export async function remove(name: string): Promise<void> {
  await send(pathOf(name), { method: "DELETE" });
}

export interface Folder {
  readonly items: readonly PolicyObject[];
  /** Whether the folder may be written to: off where the host takes no modules at all, denied where the role does not suffice. */
  readonly upload: "allowed" | "denied" | "off";
}

export const readFolder = (abort: AbortSignal): Promise<Folder> => read<Folder>("v1/policies", abort);
