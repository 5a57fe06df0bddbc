import type { Heads } from "../engine/types";

/** A scenario is all that a page needs to begin: a journal, and what to set beside it. */
export interface Scenario {
  readonly title: string;
  /** The lesson that it belongs to, by its name: its text is shown beside the cluster. */
  readonly lesson?: string;
  /** JSON Lines, as docs/reference/journal.md says; its configuration is a config.set in it. */
  readonly journal: string;
  /** A configuration that is in force before the first input. */
  readonly config?: Configuration;
  /** How long a victim takes to leave, in seconds; where it is left out, the first line of the journal says. */
  readonly grace?: number | undefined;
  /** Where to begin looking, in seconds of the session: it is played up to there at once. Where it is left out, the first line of the journal says. */
  readonly begin?: number;
  /** Seconds of the session in a second of play, to begin with. */
  readonly speed?: number;
  /** Modules that its policy.set lines name, by hash. They are loaded first. */
  readonly modules?: readonly Module[];
}

export interface Configuration {
  readonly text: string;
  readonly format: "yaml" | "toml";
}

/** A policy module: a file that was dropped, or one that came with the site. */
export interface Module {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What bounds it; what is left out has its default. */
  readonly limits?: Heads["policy.load"]["limits"];
}
