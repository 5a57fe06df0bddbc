import { useState } from "preact/hooks";
import { Button } from "../ui/button";
import { say } from "../state/notices";
import { send, wordsOf } from "./host/api";

/** How long the playground may take to ask for what it was opened with, or to say that it has to wait, in milliseconds. */
const patience = 60_000;

/** Opens the cluster as it is in the playground, where anything can be tried: nothing of it reaches this host. */
export function WhatIf() {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    // At once, since browsers open windows for a click alone.
    const playground = window.open("playground/#handed", "_blank");
    if (!playground) {
      say("error", "The browser opened no window. Allow this page to open windows, and try again.");
      return;
    }
    setBusy(true);
    try {
      const ready = asksFor(playground);
      const journal = await (await send("v1/present")).text();
      await ready;
      playground.postMessage({ quern: "handed", name: location.host, journal }, location.origin);
    } catch (thrown) {
      playground.close();
      say("error", wordsOf(thrown));
    }
    setBusy(false);
  };
  return <Button kind="primary" small disabled={busy} title="Open this cluster as it is now in the playground: its nodes, allocations and waiting asks, not how long they have waited" onClick={() => void open()}><span class="wide-only">What if from here</span><span class="narrow-only">What if</span></Button>;
}

/** Waits until a window asks for what it was opened with. */
function asksFor(opened: Window): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("message", hear);
    };
    const hear = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== opened || origin !== location.origin || data !== "quern-ready" && data !== "quern-waits") return;
      end();
      if (data === "quern-ready") resolve();
      else listen();
    };
    let timer: ReturnType<typeof setTimeout>;
    const listen = (): void => {
      timer = setTimeout(() => {
        end();
        reject(new Error("The playground did not start."));
      }, patience);
      addEventListener("message", hear);
    };
    listen();
  });
}
