import "./editor.css";
import type { HTMLAttributes } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { KeptEditor } from "./kept";

/** Where an editor is shown. Styles of the page do not reach in, and those of the editor stay within. */
export function EditorHost({ editor, class: more = "", ...rest }: { readonly editor: KeptEditor; readonly class?: string } & Omit<HTMLAttributes<HTMLDivElement>, "class">) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = host;
    return current ? editor.show(current.shadowRoot ?? current.attachShadow({ mode: "open" })) : undefined;
  }, [editor]);
  return <div ref={host} class={`editor ${more}`} {...rest} />;
}
