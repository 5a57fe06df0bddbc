// Serves the built site for the browser tests, with the headers that a host should send (host/playground sends the same).
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const root = process.env.QUERN_SITE ?? "../../../build/site";
const port = Number(process.env.QUERN_PORT ?? "4173");
const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".gz": "application/gzip",
  ".json": "application/json", ".jsonl": "application/jsonl", ".webmanifest": "application/manifest+json", ".png": "image/png", ".wasm": "application/wasm",
};
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
  + "img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'";

createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
  try {
    const { size, mtimeMs } = statSync(file);
    response.writeHead(200, {
      "ETag": `"${size}-${mtimeMs}"`, "Cache-Control": "no-cache",
      "Content-Type": types[extname(file)] ?? "application/octet-stream", "Content-Length": size,
      "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    });
    createReadStream(file).pipe(response);
  } catch {
    response.writeHead(404).end("not found");
  }
}).listen(port, "127.0.0.1");
