/** Content of an error response. Spec: Errors. */
export interface ApiFailureDetails {
  readonly status: number;
  /** A code in the service's ranges; see assumption E1. */
  readonly code: number;
  /** `<Domain>_<Reason>`. */
  readonly slug: string;
  readonly message: string;
  readonly suggestedFix?: string;
  readonly errors?: readonly string[];
}

/** An error response. Handlers throw it. */
export class ApiFailure extends Error {
  readonly details: ApiFailureDetails;

  constructor(details: ApiFailureDetails) {
    super(details.message);
    this.details = details;
  }
}

/** 404 for a missing record. See assumption E1. */
export function notFound(domain: string, what: string, code: number): ApiFailure {
  return new ApiFailure({ status: 404, code, slug: `${domain}_ResourceNotFound`, message: `${what} not found` });
}

/** 400 for an invalid request; each error starts with a path. */
export function invalidRequest(errors: readonly string[]): ApiFailure {
  return new ApiFailure({
    status: 400,
    code: 10400,
    slug: "HTTP_BadRequest",
    message: "Validation error while processing request",
    suggestedFix: "Correct the fields named in errors",
    errors,
  });
}

/** 400 for an id with the wrong prefix. */
export function checkId(id: string, prefix: string, parameter: string): void {
  if (!new RegExp(`^${prefix}[\\w-]+$`).test(id))
    throw invalidRequest([`params.${parameter}: expected an id that starts with ${prefix}`]);
}
