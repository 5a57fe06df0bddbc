/** A site of strangers: a server on another port of this machine, which says what it was asked for. */

import { createServer, type Server } from "node:http";

export class Strangers {
  readonly address: string;
  readonly asked: string[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    const at = server.address();
    this.server = server;
    this.address = `http://127.0.0.1:${typeof at === "object" && at ? at.port : 0}/`;
  }

  static async start(): Promise<Strangers> {
    const server = createServer((request, response) => {
      const script = request.url?.endsWith(".js") === true;
      strangers.asked.push(request.url ?? "");
      response.setHeader("Content-Type", script ? "text/javascript" : "text/html");
      response.end(script ? "window.owned = 1" : "<!doctype html><title>strangers</title>");
    });
    await new Promise<void>((done) => { server.listen(0, "127.0.0.1", done); });
    const strangers = new Strangers(server);
    return strangers;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
