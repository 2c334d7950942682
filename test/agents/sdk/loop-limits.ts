/** Differences between libraries. */
export interface LoopLimits {
  /** Who answers broken JSON: the toolset, the library in its own words, or no one, because none can arrive. */
  readonly brokenJson?: "library" | "never";
  /** Who answers a name that no tool has. */
  readonly unknownTools?: "library" | "never";
  /** The library passes no id of a call on, so the toolset makes one. */
  readonly passesNoIds?: boolean;
  /** Names of properties that the provider accepts. */
  readonly propertyNames?: RegExp;
  /** The library reports a call that the output limit cut off as cut off. */
  readonly knowsCutCalls?: boolean;
  /** The library passes no signal on. */
  readonly ignoresSignals?: boolean;
  /** The library itself takes a call with an id of an earlier turn for answered, or for an error. */
  readonly answersIdsOnce?: boolean;
}
