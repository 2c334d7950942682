/** What a refusal says. Spec: Errors. */
export interface ApiFailureDetails {
  readonly status: number;
  /** Number in the service's blocks. Invented ones stay inside them; see assumption E1. */
  readonly code: number;
  /** `<Domain>_<Reason>`. */
  readonly slug: string;
  readonly message: string;
  readonly suggestedFix?: string;
  readonly errors?: readonly string[];
}

/** How a handler answers with an error: it throws one. */
export class ApiFailure extends Error {
  readonly details: ApiFailureDetails;

  constructor(details: ApiFailureDetails) {
    super(details.message);
    this.details = details;
  }
}

/** 404 for a record, in the service's pattern. See assumption E1. */
export function notFound(domain: string, what: string, code: number): ApiFailure {
  return new ApiFailure({ status: 404, code, slug: `${domain}_ResourceNotFound`, message: `${what} not found` });
}

/** 400 for a request that does not fit; each complaint names a path. */
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

/** 400 for an id whose prefix is not the record's. */
export function checkId(id: string, prefix: string, parameter: string): void {
  if (!new RegExp(`^${prefix}[\\w-]+$`).test(id))
    throw invalidRequest([`params.${parameter}: expected an id that starts with ${prefix}`]);
}
