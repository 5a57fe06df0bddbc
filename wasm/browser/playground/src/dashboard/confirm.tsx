import { useState } from "preact/hooks";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Failure } from "./failure";

interface ConfirmProps {
  readonly title: string;
  /** What would happen. */
  readonly lead: string;
  /** The word on the button that does it. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done, and stays open with the reason where the host refuses it. */
export function Confirm({ title, lead, verb, danger, run, onClose }: ConfirmProps) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    try {
      await run();
      onClose();
    } catch (thrown) {
      setFailure(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      {failure !== undefined && <Failure of={failure} />}
      <footer class="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={danger ? "danger" : "primary"} disabled={busy} onClick={() => void go()}>{verb}</Button>
      </footer>
    </Dialog>
  );
}
