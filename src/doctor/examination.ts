import type { Secrets } from '../http/secrets.ts';
import type { BaseUrl } from '../http/url.ts';
import type { ApiDeclaration, Credentials, Fetch } from '../index.ts';

/** The checked options of a diagnosis, apart from what its caller gets. */
export interface Examination {
  readonly api: ApiDeclaration;
  readonly base: BaseUrl;
  /** Undefined where the API is examined with Basic or with header fields of its own. */
  readonly authUrl: BaseUrl | undefined;
  readonly credentials: Credentials | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly pathParameters?: Readonly<Record<string, string | number>> | undefined;
  readonly bodies?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly allowWrites?: boolean | undefined;
  readonly maxRequests?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly secrets: Secrets;
}
