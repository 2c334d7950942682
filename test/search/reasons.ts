// Reasons why changes are harmless.
export const MOMENT = "In that millisecond, both are right.";
