import { type Attempt, brand, type Family, type RequestContext, RestkinError } from './restkin-error.ts';

/** What an {@link AcceptedError} is made of. */
export interface AcceptedErrorInit extends RequestContext {
  readonly location: string | undefined;
}

/**
 * The server accepted a resource and creates it later (202), at an endpoint whose declaration does not say so. This is
 * no failure: sending the request again may create the resource twice. Add `accepts: ['create']` to its `collection()`.
 */
export class AcceptedError extends RestkinError implements RequestContext {
  readonly code = 'accepted';
  readonly status = 202;
  readonly method: string;
  readonly url: string;
  /** Absolute URL to look at; undefined when the server gives none. */
  readonly location: string | undefined;
  /** Every attempt of the request, the last one last. */
  attempts: readonly Attempt[] = [];

  constructor({ method, url, location }: AcceptedErrorInit) {
    super(
      `${method} ${url}: the server accepted the resource and creates it later (202). ` +
        "Do not send it again; add accepts: ['create'] to the collection() to get this as a result",
    );
    this.method = method;
    this.url = url;
    this.location = location;
  }

  /** @internal */
  override get [brand](): Family {
    return 'accepted';
  }
  override get name(): string {
    return 'AcceptedError';
  }
}
