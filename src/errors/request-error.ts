import { brand, type Family, RestkinError } from './restkin-error.ts';

/** The call cannot be sent as it stands: the arguments, the options or the declaration are wrong. Nothing was sent. */
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
export class PagingError extends RestkinError {
  readonly code = 'paging_failed';

  /** @internal */
  override get [brand](): Family {
    return 'paging';
  }
  override get name(): string {
    return 'PagingError';
  }
}
