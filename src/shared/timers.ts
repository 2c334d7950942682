/** The longest delay of `setTimeout` in milliseconds. A longer one would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
