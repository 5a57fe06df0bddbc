import "./drop.css";
import { useEffect, useRef, useState } from "preact/hooks";

interface DropProps {
  /** What may be dropped: shown while something is held over the page. */
  readonly invites: string;
  readonly take: (files: readonly File[]) => void;
}

/** Takes files that are dropped anywhere on the page, unless a panel takes them itself. */
export function Drop({ invites, take }: DropProps) {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
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
    return () => end.abort();
  }, []);
  return over ? <div class="drop"><p>{invites}</p></div> : null;
}
