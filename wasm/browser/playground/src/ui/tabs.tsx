import "./tabs.css";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface TabsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly { readonly value: T; readonly text: ComponentChildren }[];
  readonly onChange: (value: T) => void;
  /** The id of the element that the tabs change. */
  readonly controls?: string;
}

/** Tabs over a panel: arrow keys, Home and End go between them. */
export function Tabs<T extends string>({ label, value, tabs, onChange, controls }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const now = tabs.findIndex((tab) => tab.value === value);
    const to = { ArrowRight: (now + 1) % tabs.length, ArrowLeft: (now + tabs.length - 1) % tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[to];
    if (to === undefined || !tab) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button key={tab.value} type="button" role="tab" aria-selected={tab.value === value} aria-controls={controls} tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}>{tab.text}</button>
      ))}
    </div>
  );
}
