import "./help.css";
import { signal } from "@preact/signals";
import { Dialog } from "./dialog";
import { glossary } from "./glossary";
import { addressOf } from "./route";
import { shortcuts } from "./shortcuts";

export const helpOpen = signal(false);

const close = () => (helpOpen.value = false);

/** The words and the keys of the page, and what it is. */
export function Help() {
  if (!helpOpen.value) return null;
  return (
    <Dialog wide title="Help" lead={<>The <a href={addressOf("learn")} onClick={close}>lessons</a> show all of this at work.</>} onClose={close}>
      <div class="help">
        <section aria-labelledby="help-words">
          <h3 id="help-words">Words</h3>
          <dl class="help-words">
            {glossary.map(({ word, means }) => <div key={word}><dt>{word}</dt><dd>{means}</dd></div>)}
          </dl>
        </section>
        <section aria-labelledby="help-keys">
          <h3 id="help-keys">Keys</h3>
          <dl class="help-keys">
            {shortcuts.map(({ keys, does }) => (
              <div key={does}>
                <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p class="help-about">They work wherever nothing is being typed.</p>
        </section>
      </div>
      <p class="help-about">The scheduler runs in this page. Nothing that you do here leaves your browser.</p>
    </Dialog>
  );
}
