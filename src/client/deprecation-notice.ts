import { type Deprecation, parseDeprecation } from '../headers/deprecation.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Mask } from '../http/secrets.ts';

/** What `on.deprecation` is told, once per API (§9.4). */
export interface DeprecationEvent extends Deprecation {
  /** The call whose response says so. */
  readonly callId: string;
  /** Name of the API. */
  readonly api: string;
  /** Its major version. */
  readonly version: number;
}

/** Looks at the answers of one API until one of them says that its version ends, or that there is a newer one. */
export const createDeprecationNotice = (
  api: { readonly name: string; readonly version: number },
  observe: ((event: DeprecationEvent) => void) | undefined,
  mask: Mask,
): ((response: ApiResponse, callId: string) => void) | undefined => {
  if (observe === undefined) return undefined;
  let told = false;
  return ({ headers }, callId) => {
    const deprecation = told ? undefined : parseDeprecation(headers);
    if (deprecation === undefined) return;
    told = true;
    const successor = deprecation.successor && mask(deprecation.successor);
    observe({ callId, api: api.name, version: api.version, ...deprecation, successor });
  };
};
