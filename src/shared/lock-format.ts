/** The format of lockfiles that this version of the package writes and reads. */
export const LOCK_FORMAT = 1;

/** The problem with the format of a lockfile, or `undefined`. */
export function lockFormatProblem(format: unknown): string | undefined {
  if (format === LOCK_FORMAT) return undefined;
  return `formatVersion must be ${LOCK_FORMAT}, the format that this version of svc-sdk reads.`;
}
