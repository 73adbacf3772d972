import { brand, type Family, RequestError, type RequestErrorInit, RestkinError } from './restkin-error.ts';

/**
 * The call cannot be sent as it stands: the arguments, the options or the declaration are wrong. Nothing was sent, unless
 * a given `fetch` did so and resolved to something that is not a `Response`.
 */
export class InvalidRequestError extends RestkinError {
  readonly code = 'invalid_request';

  /** @internal */
  override get [brand](): Family {
    return 'request';
  }
  override get name(): string {
    return 'InvalidRequestError';
  }
}

/** A list cannot be continued without losing or repeating records (§4.5). */
export class PagingError extends RequestError {
  readonly code = 'paging_failed';

  /** @param what - what is wrong; the method and the URL of the page are put in front */
  constructor(what: string, init: RequestErrorInit = {}) {
    super(what, init);
  }

  /** @internal */
  override get [brand](): Family {
    return 'paging';
  }
  override get name(): string {
    return 'PagingError';
  }
}
