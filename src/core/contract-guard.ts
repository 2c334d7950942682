import type { Log } from "./log.js";
import type { ContractChecker } from "./options.js";

/** A contract of the user's own making that throws finds nothing: a call that has acted must not end as a failure of its check. */
export function guarded(contract: ContractChecker, log: Log): ContractChecker {
  return {
    check(operation, part, value) {
      try {
        return contract.check(operation, part, value);
      } catch (error) {
        log.line("error", `the contract could not check ${part} of ${operation}`, error);
        return [];
      }
    },
  };
}
