/** The size of a string in UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** About how many tokens a model reads in so many bytes: four bytes of English or JSON are one. */
export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / 4);
}
