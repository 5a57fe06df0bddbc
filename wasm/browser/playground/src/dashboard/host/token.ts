/** The token that is sent with every request. It is kept in memory; for as long as the tab is open if the user says so. */

import { signal } from "@preact/signals";

const key = "quern-token";

export const token = signal(kept());
/** Whether the host wants a token: it was sent none, or one that it refuses. */
export const wanted = signal<"no" | "needed" | "refused">("no");
/** Goes up with each token that is given, so that what failed is asked again. */
export const given = signal(0);

/** Takes a token from the user. */
export function give(text: string, keep: boolean): void {
  token.value = text;
  store(keep ? text : undefined);
  wanted.value = "no";
  given.value++;
}

export function forget(): void {
  token.value = "";
  store(undefined);
}

function kept(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return ""; // a browser that keeps nothing for the page
  }
}

function store(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // It lasts until the page is left.
  }
}
