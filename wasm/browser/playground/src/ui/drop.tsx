import "./drop.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface DropProps {
  /** What may be dropped: shown while something is held over the page. */
  readonly invites: string;
  readonly take: (files: readonly File[]) => void;
}

/** How many take what is dropped. */
let takers = 0;

/** Keeps the page where nothing takes files: a browser would leave it for a file that is dropped. */
export function keepPage(): void {
  window.addEventListener("dragover", (event) => {
    if (takers > 0 || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
  window.addEventListener("drop", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
}

/** Takes files that are dropped anywhere on the page, unless a panel takes them itself. */
export function Drop({ invites, take }: DropProps) {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(() => {
    takers++;
    const end = new AbortController();
    const { signal } = end;
    window.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    }, { signal });
    // Leaving the window has no other element to go to.
    window.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) setOver(false); }, { signal });
    window.addEventListener("drop", () => setOver(false), { signal, capture: true });
    window.addEventListener("drop", (event) => {
      const files = [...event.dataTransfer?.files ?? []];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    }, { signal });
    return () => {
      takers--;
      end.abort();
    };
  }, []);
  return over ? <div class="drop"><p>{invites}</p></div> : null;
}
