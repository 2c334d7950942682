/** Maximum number of items per page of a list. Spec: Limits. */
export const LARGEST_PAGE = 1_000;

/** The longest range of usage, the range of a body without one, and the number of groups of a body without a limit. */
export const USAGE_BOUNDS = { longestRangeDays: 366, defaultRangeDays: 30, defaultGroups: 100 } as const;
