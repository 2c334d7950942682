interface Exception {
  readonly words: RegExp;
  /** The files that it holds for; without it, all. */
  readonly in?: RegExp;
  readonly because: string;
}

/** Hits of the lint words that are correct. */
export const ALLOWED: readonly Exception[] = [
  {
    words: /of your own (tool|headers|parameters)/,
    because: "the genitive of a thing that is yours, not a thing 'of your own'",
  },
  { words: /address\(\) returns an AddressInfo/, because: "Node's server.address()" },
  { words: /IP address|--host <address>/, because: "an IP address isn't a URL" },
  { words: /\b(is|are) about to\b/, because: "the near future" },
  { words: /(connection was|is it) refused|refused connection/, because: "the network's word, as in ECONNREFUSED" },
  { words: /\/\/ See assumption [A-Z]\d+/, because: "a comment for contributors, which isn't in a hover" },
  {
    words: /What (it|the record) is about|begins?\b/,
    in: /src\/emulator\/catalog\/toolkits\//,
    because: "texts of an emulated provider, which generated types quote",
  },
];
