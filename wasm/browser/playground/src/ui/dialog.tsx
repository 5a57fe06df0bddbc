import "./dialog.css";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./button";

interface DialogProps {
  readonly title: string;
  /** One or two sentences below the title. */
  readonly lead?: ComponentChildren;
  readonly wide?: boolean;
  /** Escape, the cross, or a click beside it. The owner stops rendering the dialog then. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog that is open for as long as it is rendered; the focus goes back to where it was. */
export function Dialog({ title, lead, wide, onClose, children }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Before the next event: a key that follows at once is for what opens.
  useLayoutEffect(() => {
    const shown = element.current;
    shown?.showModal();
    // What is to be written comes first, rather than the cross above it.
    shown?.querySelector<HTMLElement>("form :is(input, select, textarea)")?.focus();
    return () => shown?.close();
  }, []);
  const beside = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };
  return (
    <dialog ref={element} class={wide ? "dialog dialog-wide" : "dialog"} aria-labelledby={id} onCancel={onClose} onMouseDown={beside}>
      <div class="dialog-inner">
        <header class="dialog-head">
          <div><h2 id={id}>{title}</h2>{lead && <p>{lead}</p>}</div>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
