interface Exception {
  readonly words: RegExp;
  /** The files that it holds for; without it, all. */
  readonly in?: RegExp;
  readonly because: string;
}

/** What the lint words find and what is right all the same. */
export const ALLOWED: readonly Exception[] = [
  {
    words: /of your own (tool|headers|parameters)/,
    because: "the genitive of a thing that is yours, not a thing 'of your own'",
  },
  { words: /address\(\) returns an AddressInfo/, because: "Node's server.address()" },
  { words: /IP address|--host <address>/, because: "an IP address isn't a URL" },
];
