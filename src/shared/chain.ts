/**
 * Puts steps around a function, the first one outermost.
 *
 * @param around - The function that a step makes of the next one. The index is the step's.
 */
export function chain<Step, Run>(
  steps: readonly Step[],
  innermost: Run,
  around: (step: Step, next: Run, index: number) => Run,
): Run {
  return steps.reduceRight((next, step, index) => around(step, next, index), innermost);
}
