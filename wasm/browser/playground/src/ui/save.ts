/** Hands a file to the browser's downloads. */
export function save(name: string, content: string | Blob) {
  const address = URL.createObjectURL(typeof content === "string" ? new Blob([content]) : content);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The download has begun by then; the address may go.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
