import "./search.css";
import { useId, useRef, useState } from "preact/hooks";
import { showSelected } from "../see/section";
import { actions } from "../state/run";
import { Icon, type IconName } from "./icons";
import { find, type Found } from "./find";
import { useMeant } from "./meant";
import { go } from "./route";
import { searchBox } from "./search-box";

const most = 12;
const icons: Record<Found["kind"], IconName> = { queue: "queue", app: "app", ask: "ask", node: "node" };
const words: Record<Found["kind"], string> = { queue: "queue", app: "application", ask: "ask", node: "node" };

/** Finds a queue, an application, an ask or a node by its ID, and picks it. */
export function Search() {
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const before = useRef<HTMLElement | null>(null); // had the focus
  const has = open ? find(actions.model(), text, most) : [];
  const meant = useMeant(text.trim(), open && text.trim() !== "" && has.length === 0);
  const found = has.length > 0 ? has : meant;
  const chosen = found[at];

  const close = () => {
    setText("");
    setOpen(false);
  };
  const leave = () => {
    if (before.current?.isConnected) before.current.focus({ preventScroll: true });
    else searchBox.current?.blur();
  };
  const pick = (one: Found) => {
    go("cluster");
    actions.select(one);
    showSelected();
    close();
    leave();
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && chosen) pick(chosen);
    else if (event.key === "Escape") {
      close();
      leave();
    }
    else return;
    event.preventDefault();
  };

  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input ref={searchBox} type="text" role="combobox" aria-label="Find a queue, application, ask or node" aria-autocomplete="list" aria-expanded={open && text !== ""}
        aria-controls={id} aria-activedescendant={chosen && `${id}-${at}`} placeholder="Find by ID" autocomplete="off" spellcheck={false} value={text}
        onInput={(event) => { setText(event.currentTarget.value); setAt(0); setOpen(true); }} onKeyDown={keys} onFocus={(event) => (before.current = event.relatedTarget instanceof HTMLElement ? event.relatedTarget : null)} onBlur={() => setOpen(false)} />
      <kbd aria-hidden="true">/</kbd>
      <div id={id} class="search-list" role="listbox" aria-label="Found" hidden={!open || text.trim() === ""}>
        {has.length === 0 && <p>Nothing has “{text.trim()}” in its ID.{meant.length > 0 && " Did you mean:"}</p>}
        {found.map((one, i) => (
          <div key={`${one.kind} ${one.id}`} id={`${id}-${i}`} role="option" aria-selected={i === at} onMouseDown={() => pick(one)}>
            <Icon name={icons[one.kind]} /><b>{one.id}</b><small>{words[one.kind]}</small>
          </div>
        ))}
      </div>
    </div>
  );
}
