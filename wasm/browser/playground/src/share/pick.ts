/** Has the user choose a file; undefined: they think better of it. Kinds are endings, as ".feature,.txt". */
export async function pickFile(kinds: string): Promise<File | undefined> {
  return (await pickFiles(kinds, false))[0];
}

/** Has the user choose files; none: they think better of it. */
export function pickFiles(kinds: string, multiple = true): Promise<readonly File[]> {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: kinds, multiple });
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve([...input.files ?? []]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
