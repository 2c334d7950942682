/** An invalid command line. Exits with 2. */
export class UsageError extends Error {}
