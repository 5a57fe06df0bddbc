import { kindWords, type SpanKind, type Spans } from "./span";

const kinds: readonly SpanKind[] = ["runs", "late", "leaves", "planned", "ended"];

/** What the marks mean: those that are there. */
export function Legend({ of: { spans, windows }, together }: { readonly of: Spans; readonly together: boolean }) {
  const there = new Set(spans.map(({ kind }) => kind));
  const open = spans.some(({ kind, until }) => kind === "runs" && until === undefined);
  return (
    <ul class="spans-legend" aria-label="Legend">
      {kinds.filter((kind) => there.has(kind)).map((kind) => <li key={kind}><i class={`spans-mark spans-mark-${kind}`} />{kindWords[kind]}</li>)}
      {open && <li><i class="spans-mark spans-mark-open" />Promises no end</li>}
      {windows.length > 0 && <li><i class="spans-mark spans-mark-window" />Window</li>}
      {together && <li><i class="spans-mark spans-mark-load" />How many run at once</li>}
      <li><i class="spans-mark spans-mark-now" />Now</li>
    </ul>
  );
}
