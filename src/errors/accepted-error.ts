import { brand, type Family, RequestError, type RequestErrorInit } from './restkin-error.ts';

/** What an {@link AcceptedError} is made of. */
export interface AcceptedErrorInit extends RequestErrorInit {
  readonly location: string | undefined;
}

/**
 * The server accepted a resource and creates it later (202), at an endpoint whose declaration does not say so. This is
 * no failure: sending the request again may create the resource twice. Add `accepts: ['create']` to its `collection()`.
 */
export class AcceptedError extends RequestError {
  readonly code = 'accepted';
  readonly status = 202;
  /** Absolute URL to look at; undefined when the server gives none. */
  readonly location: string | undefined;

  constructor(init: AcceptedErrorInit) {
    super(
      '202: the server accepted the resource and creates it later. ' +
        "Do not send it again; add accepts: ['create'] to the collection() to get this as a result",
      init,
    );
    this.location = init.location;
  }

  /** @internal */
  override get [brand](): Family {
    return 'accepted';
  }
  override get name(): string {
    return 'AcceptedError';
  }
}
