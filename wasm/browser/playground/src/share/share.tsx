import "./share.css";
import { useState } from "preact/hooks";
import { open as openLesson } from "../learn/open";
import { say } from "../state/notices";
import { Dialog } from "../ui/dialog";
import { Menu, type MenuItem } from "../ui/menu";
import { copyText } from "./copy";
import { kinds, openFiles } from "./files";
import { embedCode, exportConfiguration, exportDecisions, exportJournal, lessonLink, link, type Handout } from "./handout";
import { pickFiles } from "./pick";

/** The menu for what goes out of the page and comes into it. */
export function Share() {
  const [byHand, setByHand] = useState<Handout>();
  const hand = async (making: Handout | undefined | Promise<Handout | undefined>) => {
    const made = await making;
    if (!made) return;
    if (await copyText(made.text)) say("info", `${made.what} is on the clipboard: ${made.text.length.toLocaleString("en")} characters.`);
    else setByHand(made);
  };
  const { lesson, index = 0 } = openLesson.value ?? {};
  const items: MenuItem[] = [
    { text: "Copy a link", icon: "link", hint: "To this session, at this moment. The link contains all of it.", onPick: () => { void hand(link()); } },
    ...(lesson ? [{ text: "Copy the lesson's link", icon: "link", hint: lesson.title, onPick: () => { void hand(lessonLink(lesson.name, index)); } } as const] : []),
    { text: "Copy code to embed", icon: "copy", hint: "A frame for other pages, with the cluster alone", onPick: () => { void hand(embedCode()); } },
    { text: "Import files…", icon: "open", hint: "A journal, configuration, feature or module. A journal and a configuration open together. Or drop them anywhere.", onPick: () => { void importFiles(); } },
    { text: "Export the journal", icon: "save", hint: "With the configuration: opens here again, and replays", onPick: () => { void exportJournal(); } },
    { text: "Export the decisions", icon: "save", onPick: () => { void exportDecisions(); } },
    { text: "Export the configuration", icon: "save", onPick: exportConfiguration },
  ];
  return (
    <>
      <Menu label="Share and keep" icon="share" items={items} />
      {byHand && <ByHand handout={byHand} onClose={() => setByHand(undefined)} />}
    </>
  );
}

/** A text to copy by hand, where the browser keeps the clipboard to itself. */
function ByHand({ handout: { what, text }, onClose }: { readonly handout: Handout; readonly onClose: () => void }) {
  return (
    <Dialog title={what} lead="The browser does not let the page copy. Select the text, and copy it." onClose={onClose}>
      <textarea class="share-text" readOnly aria-label={what} rows={8} value={text} onFocus={(event) => event.currentTarget.select()} />
    </Dialog>
  );
}

async function importFiles(): Promise<void> {
  await openFiles(await pickFiles(kinds));
}
