/**
 * `Uint8Array<ArrayBuffer>`, even for compilers whose `Uint8Array` isn't generic. Where it is, a plain one may be in
 * shared memory, which no web API takes.
 */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;
