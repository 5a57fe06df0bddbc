import type { ReadonlySignal, Signal } from "@preact/signals";
import { selection, type Selection } from "../state/store";
import { whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { kindIcons } from "./kind-icons";
import { kinds as all, kindWords, type Kind } from "./words";

interface KindFilterProps {
  readonly kinds: Signal<ReadonlySet<Kind>>;
  /** How many decisions each kind has. */
  readonly counts: ReadonlySignal<ReadonlyMap<Kind, number>>;
}

/** Lets some kinds pass; none chosen: all. */
export function KindFilter({ kinds, counts }: KindFilterProps) {
  const toggle = (kind: Kind) => {
    const next = new Set(kinds.value);
    if (!next.delete(kind)) next.add(kind);
    kinds.value = next;
  };
  return (
    <div class="stream-kinds" role="group" aria-label="Kinds of decisions to show; none pressed shows all">
      {all.map((kind) => {
        const count = counts.value.get(kind) ?? 0;
        return (
          <button key={kind} type="button" data-none={count === 0} aria-pressed={kinds.value.has(kind)} onClick={() => toggle(kind)}>
            <span class={`stream-kind stream-${kind}`}><Icon name={kindIcons[kind]} /></span> {kindWords[kind]} <small>{whole(count)}</small>
          </button>
        );
      })}
    </div>
  );
}

/** Lets pass what has to do with what was picked; it stays so while other things are picked. */
export function AboutFilter({ only }: { readonly only: Signal<Selection | undefined> }) {
  const picked = only.value ?? selection.value;
  if (!picked) return null;
  return (
    <button type="button" class="stream-only" aria-pressed={only.value !== undefined} onClick={() => (only.value = only.value ? undefined : picked)}>
      {`Only about ${nameOf(picked)}`}
    </button>
  );
}

function nameOf(picked: Selection): string {
  return picked.kind === "decision" ? `decision ${picked.id}` : picked.id;
}
