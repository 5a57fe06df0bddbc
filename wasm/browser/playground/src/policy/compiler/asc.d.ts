/**
 * What the page uses of the compiler of AssemblyScript. tsconfig.json puts it in the place of the package's own types, which give
 * AssemblyScript's meaning to the global types of TypeScript: Array.at would never be undefined in the whole page.
 */

export interface Diagnostic {
  /** 0: pedantic, 1: info, 2: warning, 3: error. */
  readonly category: number;
  readonly code: number;
  readonly message: string;
  readonly range: { readonly start: number; readonly end: number; readonly source: { readonly normalizedPath: string } } | null;
}

export interface OutputStream {
  write(chunk: Uint8Array | string): void;
}

export interface APIOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Null: there is no such file. */
  readonly readFile: (name: string, folder: string) => string | null;
  readonly writeFile: (name: string, content: Uint8Array | string, folder: string) => void;
  readonly listFiles: (name: string, folder: string) => string[] | null;
  readonly reportDiagnostic: (one: Diagnostic) => void;
}

/** Runs the compiler with the arguments of its command line. */
export function main(args: readonly string[], options: APIOptions): Promise<{ readonly error: Error | null }>;

export function createMemoryStream(): OutputStream;
