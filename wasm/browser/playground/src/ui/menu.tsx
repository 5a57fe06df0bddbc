import "./menu.css";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

export interface MenuItem {
  readonly text: string;
  readonly icon?: IconName;
  /** A second, smaller line. */
  readonly hint?: string;
  readonly danger?: boolean;
  /** It can be read, and the hint should say why it cannot be picked. */
  readonly disabled?: boolean;
  /** Of an item that is one of a choice. */
  readonly checked?: boolean;
  readonly onPick: () => void;
}

/** Where a menu opens: below the left or the right edge of this, or above it where there is no room. */
export type Anchor = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

interface MenuProps {
  /** The accessible name of the button, and what is on it where children are left out. */
  readonly label: string;
  readonly icon?: IconName;
  readonly primary?: boolean;
  readonly items: readonly MenuItem[];
  readonly children?: ComponentChildren;
}

/** A button with a menu below it. */
export function Menu({ label, icon, primary, items, children }: MenuProps) {
  const [anchor, setAnchor] = useState<Anchor>();
  const words = children ?? (icon ? undefined : label);
  const look = words === undefined ? "button button-icon" : `button button-small ${primary ? "button-primary" : "button-plain"}`;
  return (
    <>
      <button type="button" class={look} aria-label={label} title={words === undefined ? label : undefined} aria-haspopup="menu" aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget.getBoundingClientRect())}>
        {icon && <Icon name={icon} />}
        {words !== undefined && <span>{words}</span>}
        {words !== undefined && <Icon name="down" />}
      </button>
      {anchor && <MenuList label={label} anchor={anchor} items={items} onClose={() => setAnchor(undefined)} />}
    </>
  );
}

interface MenuListProps {
  readonly label: string;
  readonly anchor: Anchor;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** The menu by itself, open for as long as it is rendered: for context menus. The focus goes back to where it was. */
export function MenuList({ label, anchor, items, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  // Before the next event: a key that follows at once is for what opens.
  useLayoutEffect(() => {
    const shown = list.current;
    const before = (opener.current = document.activeElement);
    if (!shown) return;
    shown.showPopover();
    place(shown, anchor);
    shown.querySelector("button")?.focus();
    const closed = (event: ToggleEvent) => {
      if (event.newState === "closed") onClose();
    };
    shown.addEventListener("toggle", closed);
    return () => {
      shown.removeEventListener("toggle", closed);
      // Only if no other element took it: what was picked may have opened a dialog.
      const mine = shown.contains(document.activeElement) || document.activeElement === document.body;
      if (mine && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const pick = (item: MenuItem) => {
    if (item.disabled) return;
    onClose();
    // A dialog that opens now gives the focus back to what had the menu.
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    item.onPick();
  };
  return (
    <div ref={list} class="menu" role="menu" aria-label={label} popover="auto" onKeyDown={(event) => keys(event, onClose)}>
      {items.map((item) => (
        <button key={item.text} type="button" role={item.checked === undefined ? "menuitem" : "menuitemradio"} aria-checked={item.checked} tabIndex={-1}
          class={item.danger ? "menu-danger" : undefined} aria-disabled={item.disabled} onClick={() => pick(item)}>
          {item.icon ? <Icon name={item.icon} /> : item.checked ? <Icon name="good" /> : <i />}
          <span>{item.text}{item.hint && <small>{item.hint}</small>}</span>
        </button>
      ))}
    </div>
  );
}

function place(menu: HTMLElement, anchor: Anchor) {
  const { width, height } = menu.getBoundingClientRect();
  const gap = 4;
  const left = anchor.left + width > innerWidth - gap ? anchor.right - width : anchor.left;
  const top = anchor.bottom + height > innerHeight - gap ? anchor.top - height - gap : anchor.bottom + gap;
  menu.style.left = `${Math.max(gap, left)}px`;
  menu.style.top = `${Math.max(gap, top)}px`;
}

function keys(event: KeyboardEvent & { currentTarget: HTMLElement }, onClose: () => void) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const now = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: (now + 1) % items.length, ArrowUp: (now + items.length - 1) % items.length, Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) items[to]?.focus();
  else if (event.key === "Tab" || event.key === "Escape") onClose();
  else if (/^\S$/.test(event.key)) items.find((item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
