import "./panel.css";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  /** A class of the panel's own, as "tree" or "grid". */
  readonly class?: string;
  /** What the panel is about at the moment: a heading behind the title. */
  readonly subject?: ComponentChildren;
  /** Small controls at the right of the title. */
  readonly tools?: ComponentChildren;
  /** The body has no padding and does not scroll: what is in it sees to both. */
  readonly flush?: boolean;
  readonly children: ComponentChildren;
}

/** A card with a title. It fills the room that it is given, and its body scrolls. */
export function Panel({ title, class: own, subject, tools, flush, children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${own ?? ""}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {subject && <h3 class="panel-subject">{subject}</h3>}
        {tools && <div class="panel-tools">{tools}</div>}
      </header>
      {flush ? <div class="panel-body panel-flush">{children}</div> : <div class="panel-body" role="group" aria-labelledby={id} tabIndex={0}>{children}</div>}
    </section>
  );
}

/** What stands where there is nothing to show: what would be here, and what to do for it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="panel-empty">{children}</div>;
}
