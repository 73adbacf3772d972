import { header } from '../conventions.ts';
import { isBrowser } from './failure.ts';
import type { HeaderFields } from './fields.ts';
import { type ApiRequest, requestIdOf } from './message.ts';

/** Written by the build. */
declare const RESTKIN_VERSION: string;

const version = typeof RESTKIN_VERSION === 'undefined' ? 'source' : RESTKIN_VERSION;

// A browser sends either only with the consent of the server, which it asks for with a preflight.
const agent: HeaderFields = isBrowser() ? {} : { [header.userAgent]: `restkin/${version}` };
const defaultIdHeader = isBrowser() ? false : header.requestId;

/** Says who sends a request, and in which call. */
export interface Identity {
  /** The header fields that identify a request: the same id for all attempts of its call. */
  readonly fieldsOf: (request: Pick<ApiRequest, 'callId'>) => HeaderFields;
  /** The id that a response has. */
  readonly requestIdOf: (headers: Headers) => string | undefined;
}

/** @param idHeader - the header of the id; false for none */
export const createIdentity = (idHeader: string | false = defaultIdHeader): Identity => {
  const name = idHeader === false ? '' : idHeader.toLowerCase();
  if (name === '') return { fieldsOf: () => agent, requestIdOf };
  return {
    fieldsOf: ({ callId }) => (callId === '' ? agent : { ...agent, [name]: callId }),
    requestIdOf: (headers) => headers.get(name) ?? requestIdOf(headers),
  };
};
