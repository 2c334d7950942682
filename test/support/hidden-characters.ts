/** One of each kind that must reach neither a terminal nor a source file. The last one is beyond the first 65,536. */
export const HIDDEN_CHARACTERS: readonly string[] = [
  ...["\u0000", "\u0007", "\u0008", "\u000b", "\u001b", "\u007f", "\u0085", "\u009b", "\u00ad", "\u034f", "\u061c"],
  ...["\u115f", "\u17b4", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a"],
  ...["\u202d", "\u202e", "\u2060", "\u2064", "\u2066", "\u2067", "\u2068", "\u2069", "\u206f", "\u3164", "\ufe0f"],
  ...["\ufeff", "\uffa0", "\ufff9", "\ufffb", "\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e007f}", "\u{e0100}"],
];
