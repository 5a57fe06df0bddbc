/** Requests to the host that serves the page. */

import { computed, signal } from "@preact/signals";
import { token, wanted } from "./token";

/** An answer that is an error, as RFC 9457 has it. */
export class Problem extends Error {
  readonly status: number;
  /** The last part of its type, such as not_found; "" where the host gave none. */
  readonly code: string;
  readonly detail: string;
  /** All of it: some problems have more to say. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const text = (key: string) => (typeof body[key] === "string" ? body[key] : "");
    super([text("title") || `The host answered with status ${status}`, text("detail")].filter(Boolean).join(": "));
    this.name = "Problem";
    this.status = status;
    this.code = text("type").replace(/^.*:/, "");
    this.detail = text("detail");
    this.body = body;
  }
}

/** How long an answer may take before the host is shown as slow, in milliseconds. */
const patience = 2000;

const late = signal(0);
/** Whether an answer is overdue. */
export const slow = computed(() => late.value > 0);
/** How far the clock of the host is ahead of the browser's, in milliseconds. */
export const skew = signal(0);

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to a path below the page, with the token if there is one.
 * @throws Problem where the host answers with an error
 */
export async function send(path: string, { headers, ...rest }: Ask = {}): Promise<Response> {
  const bearer = token.peek();
  const end = waiting();
  try {
    const response = await fetch(path, { ...rest, headers: { ...headers, ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) }, cache: "no-store", redirect: "error" });
    const date = Date.parse(response.headers.get("Date") ?? "");
    if (!Number.isNaN(date)) skew.value = date - Date.now();
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (problem.status === 401) wanted.value = bearer ? "refused" : "needed";
    throw problem;
  } finally {
    end();
  }
}

/** Reads an object. */
export async function read<T>(path: string, abort?: AbortSignal): Promise<T> {
  const response = await send(path, { signal: abort });
  return await response.json() as T;
}

/** Reads an object that a role may not be allowed to read: then it is undefined. */
export async function readIfAllowed<T>(path: string, abort: AbortSignal): Promise<T | undefined> {
  try {
    return await read<T>(path, abort);
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.status === 403) return undefined;
    throw thrown;
  }
}

/** A path with its parameters; what is empty is left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") query.set(name, String(value));
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** A name as a part of a path. */
export const part = (name: string): string => encodeURIComponent(name);

async function problemOf(response: Response): Promise<Problem> {
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    body = undefined;
  }
  return new Problem(response.status, typeof body === "object" && body !== null ? body as Record<string, unknown> : {});
}

/** Counts a request as late once it takes long, until the function that it gives is called. */
function waiting(): () => void {
  let counted = false;
  const timer = setTimeout(() => {
    counted = true;
    late.value++;
  }, patience);
  return () => {
    clearTimeout(timer);
    if (counted) late.value--;
  };
}

/** What went wrong, for people. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof Problem) return thrown.message;
  return thrown instanceof TypeError ? "The host cannot be reached." : thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a request was given up by the page itself. */
export function givenUp(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
