/** The file, the code, its replacement, and why the change breaks no promise. */
export type Harmless = readonly [file: string, original: string, replacement: string, reason: string];

/** Changes of `npm run mutants` that no world can notice. */
export const HARMLESS: readonly Harmless[] = [];
