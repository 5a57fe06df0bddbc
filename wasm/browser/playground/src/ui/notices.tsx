import "./notices.css";
import { useEffect } from "preact/hooks";
import { notices, type Notice } from "../state/store";
import { IconButton } from "./button";
import { Icon } from "./icons";

const shortly = 8000;

/** What the page has to say, in a corner. What merely tells goes by itself; an error stays until it is sent away. */
export function Notices() {
  const shown = notices.value.slice(-4);
  return (
    <div class="notices">
      <div role="status">{shown.filter((n) => n.kind === "info").map((n) => <Item key={n.id} notice={n} />)}</div>
      <div role="alert">{shown.filter((n) => n.kind === "error").map((n) => <Item key={n.id} notice={n} />)}</div>
    </div>
  );
}

function Item({ notice }: { readonly notice: Notice }) {
  const dismiss = () => (notices.value = notices.value.filter((other) => other.id !== notice.id));
  useEffect(() => {
    if (notice.kind === "error") return;
    const timer = setTimeout(dismiss, shortly);
    return () => clearTimeout(timer);
  }, [notice.id]);
  return (
    <div class={`notice notice-${notice.kind}`}>
      <Icon name={notice.kind === "error" ? "warn" : "info"} />
      <p>{notice.text}</p>
      <IconButton icon="close" label="Dismiss" onClick={dismiss} />
    </div>
  );
}
