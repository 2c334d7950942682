/** Whether a value is an ArrayBuffer, of another realm (Jest, vm) too: only these have this tag. */
export const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === "[object ArrayBuffer]";
