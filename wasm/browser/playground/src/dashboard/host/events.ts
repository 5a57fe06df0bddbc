/** Server-Sent Events, read from a stream that fetch gives: an EventSource cannot send a token. */

interface Event {
  readonly id: string;
  /** What kind it is; "" for the usual one. */
  readonly type: string;
  readonly data: string;
}

/** Cuts a stream of text into events. */
export class EventReader {
  private rest = "";
  private id = "";
  private type = "";
  private data: string[] = [];

  /** Takes a piece of the stream, and gives the events that it completes. */
  push(piece: string): Event[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.line(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  private line(line: string): Event[] {
    if (line === "") return this.complete();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    switch (field) {
      case "id": this.id = value; break;
      case "event": this.type = value; break;
      case "data": this.data.push(value); break;
    }
    return [];
  }

  private complete(): Event[] {
    const event = { id: this.id, type: this.type, data: this.data.join("\n") };
    const empty = this.data.length === 0;
    this.type = "";
    this.data = [];
    return empty && event.type === "" ? [] : [event];
  }
}
