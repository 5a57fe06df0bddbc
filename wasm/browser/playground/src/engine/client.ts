import type { Answers, RpcError, Heads } from "./types";

/** What an operation answered: its first line, and the bytes behind it. */
export interface Reply<Op extends keyof Heads> {
  readonly answer: Answers[Op];
  readonly body: Uint8Array;
}

/** A request that the scheduler refused. Nothing changed. */
export class Refused extends Error {
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.name = "Refused";
    this.error = error;
  }
}

/** The scheduler ended in the middle of something. What the page knows of the journal can still be exported. */
export class Crashed extends Error {}

/** How far loading has come: bytes that arrived, of how many (0: unknown); and what the server waits for until it has the file. */
export type Progress = (loaded: number, total: number, waits?: string) => void;

/** A scheduler in a worker of its own. Requests are served in the order in which they are made. */
export interface Engine {
  /** @throws Refused, Crashed */
  request<Op extends keyof Heads>(op: Op, head: Heads[Op], body?: Uint8Array | string): Promise<Reply<Op>>;
  /** Hears of lines that modules, or the core, write. */
  onLog(hear: (line: string) => void): void;
  /** Is called once, when the worker is of no more use. */
  onCrash(hear: (why: Crashed) => void): void;
  /** Ends the worker. */
  stop(): void;
}
