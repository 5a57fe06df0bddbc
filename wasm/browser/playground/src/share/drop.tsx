import { useEffect, useState } from "preact/hooks";
import { openFile } from "./files";

/** Has files open that are dropped anywhere on the page, unless a panel takes them itself. */
export function DropAnywhere() {
  const [over, setOver] = useState(false);
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
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void openFile(file);
    }, { signal });
    return () => end.abort();
  }, []);
  return over ? <div class="share-drop"><p>Drop to open: a journal, a configuration, a feature or a policy module</p></div> : null;
}
