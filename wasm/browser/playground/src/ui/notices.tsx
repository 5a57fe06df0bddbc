import "./notices.css";
import { useEffect } from "preact/hooks";
import { notices, type Notice, type NoticeAct } from "../state/store";
import { Button, IconButton } from "./button";
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
    if (notice.kind === "error" || notice.acts.length > 0) return;
    const timer = setTimeout(dismiss, shortly);
    return () => clearTimeout(timer);
  }, [notice.id]);
  return (
    <div class={`notice notice-${notice.kind}`}>
      <Icon name={notice.kind === "error" ? "warn" : "info"} />
      <div class="notice-text">
        <p>{notice.text}</p>
        {notice.acts.length > 0 && <p class="notice-acts">{notice.acts.map((act) => <Act key={act.text} act={act} done={dismiss} />)}</p>}
      </div>
      <IconButton icon="close" label="Dismiss" onClick={dismiss} />
    </div>
  );
}

function Act({ act, done }: { readonly act: NoticeAct; readonly done: () => void }) {
  if ("address" in act) return <a class="button button-plain button-small" href={act.address} onClick={done}>{act.text}</a>;
  const press = () => {
    done();
    act.act();
  };
  return <Button small onClick={press}>{act.text}</Button>;
}
