/**
 * Words to write instead, each with a pattern of the words to avoid. A space stands for any blanks, also those between two lines of a
 * comment.
 */
export const LINT_WORDS: Readonly<Record<string, RegExp>> = {
  "isn't one": /\b(is|are|was|were) none\b/,
  "isn't a, has no": /(?<![Tt]here )\b(is|are|was|were) no (?!longer|more|fewer|less|proof)[a-z]/,
  string: /\b(a|any|one|no|empty|short) text\b(?! (file|field|message))|\btexts\b/,
  "response, result": /\b(an?|the|its|no|any|each|every|last|first|failing|whole) answers?\b/,
  URL: /\baddress(es)?\b/,
  "if, when": /\bwhere (it|there|they|that|this|one|none|nothing|nobody) (?!begins|starts|ends|lies|stands)/,
  otherwise: /(^|[,;:.] |and )[Ee]lse\b(?! (if|throw|console|return))/,
  "your, its": /\bof (yours|ours|theirs|your own|its own|our own|their own|one's own)\b/,
  "is, appears": /\bstands?\b(?! for| still| alone)/,
  "is sent": /\b(go|goes|going|went) out\b/,
  "anymore, forever, byte for byte, rarely, more likely":
    /\bany more\b|\bfor ever\b|\bto the byte\b|\bin vain\b|\bseldom\b|\blikelier\b/,
  "American spelling": /look-up|time-out|misspelt|honour|behaviour|favour|colour|learnt|catalogue/,
  "a noun or a verb": /\/\*\* What (?!to |is new|changed)/,
  "unknown, missing": /There is no (option|command|operation|such|secret|body)/,
  omitted: /\b[Ll]eft out\b/,
  "doesn't match": /\bdo(es)? not fit\b/,
  "evaluates, allows or denies": /\b[Dd]ecid(e|es|ed|ing) about\b/,
  "a verb": /\b(is|are|was) about\b/,
  "from, or 's": /(`|\}|\)) of (`svc-sdk|`@|@|the package)/,
  "even if, or 'too' without a clause": /\b[Aa]lso (if|when|an?|for|after|from)\b/,
  "a different, others": /\banother [a-z]+ than\b|\bother [a-z]+ than\b/,
  "belongs to, has": /\b(is|are) of (a|an|the|another) /,
  "decision, license": /judgement|licence|verdict/,
  "occurs twice": /\bcomes? (twice|first|again)\b|\bcan come (twice|back)\b/,
  "fails, again, even so": /\bleads? nowhere\b|\bonce more\b|\ball the same\b/,
  Creates: /\bMakes (a|an|the|tools)\b/,
  "the noun's own verb": /\bthat (is|are) (used|read|made)\b/,
  "start, nobody → name the actor, reject or deny": /\bbegins?\b|\b[Nn]obody\b|\bsomebody\b|\brefus(e|es|ed|als?)\b/,
  "no citation in docs": /[Ss]ee assumption [A-Z]\d+/,
};
