/** What the decisions of the host tell of the time before the page was opened. */

import type { Decision } from "../engine/types";
import { Problem, send, withQuery } from "./host/api";
import type { Sample, Samples } from "./samples";

/** So many decisions are read at most, so many at a time. */
export const mostDecisions = 5000;
const aPage = 1000;
/** They become so many samples at most. */
const mostSamples = 300;

type Told = Pick<Decision, "at" | "type">;

/** Reads the last decisions up to one, oldest first, as far as the host keeps them. */
export async function readEarlier(upTo: number): Promise<readonly Told[]> {
  const pages: (readonly Told[])[] = [];
  let end = upTo;
  for (let left = mostDecisions; left > 0 && end > 0; left -= aPage) {
    const wanted = Math.max(1, end - aPage + 1);
    const [page, from] = await readPage(wanted, end);
    pages.unshift(page);
    if (from > wanted) break; // those before are not kept any more
    end = wanted - 1;
  }
  return pages.flat();
}

/** Reads decisions from one to another, or from the first one that is kept; gives them with the number of the first. */
async function readPage(from: number, to: number): Promise<readonly [readonly Told[], number]> {
  try {
    const response = await send(withQuery("v1/decisions", { from, limit: to - from + 1 }));
    return [(await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line) as Told), from];
  } catch (thrown) {
    const first = thrown instanceof Problem && thrown.status === 410 ? Number(thrown.body.first) : NaN;
    if (Number.isNaN(first)) throw thrown;
    return first > to ? [[], first] : readPage(Math.max(first, from + 1), to);
  }
}

/** Samples of the time that decisions were made in, up to the first one that was counted: allocations are counted back from there. */
export function samplesOf(decisions: readonly Told[], { at, allocations }: NonNullable<Samples["first"]>): readonly Sample[] {
  const [oldest] = decisions;
  if (!oldest) return [];
  const begin = Math.floor(Date.parse(oldest.at) / 1000);
  const width = Math.max(1, Math.ceil((at - begin) / mostSamples));
  const buckets = Array.from({ length: Math.max(0, Math.ceil((at - begin) / width)) }, () => ({ made: 0, change: 0 }));
  for (const d of decisions) {
    const bucket = buckets[Math.min(buckets.length - 1, Math.floor((Date.parse(d.at) / 1000 - begin) / width))];
    if (!bucket) continue;
    bucket.made++;
    bucket.change += d.type === "allocation" ? 1 : d.type === "release" ? -1 : 0;
  }
  const samples: Sample[] = [];
  let there = allocations;
  for (let i = buckets.length - 1; i >= 0; i--) {
    const { made, change } = buckets[i] ?? { made: 0, change: 0 };
    there = Math.max(0, there - change);
    const length = Math.min(width, at - begin - i * width);
    samples.unshift({ at: begin + i * width, allocations: there, decisions: made / length });
  }
  return samples;
}
