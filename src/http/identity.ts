import { header } from '../conventions.ts';
import { isBrowser } from './failure.ts';
import { requestIdOf, type Send } from './message.ts';

/** Written by the build. */
declare const RESTKIN_VERSION: string;

const version = typeof RESTKIN_VERSION === 'undefined' ? 'source' : RESTKIN_VERSION;

// A browser sends either only with the consent of the server, which it asks for with a preflight.
const agent = isBrowser() ? {} : { [header.userAgent]: `restkin/${version}` };
const defaultIdHeader = isBrowser() ? false : header.requestId;

/**
 * Says who sends a request, and in which call: all its attempts have the same id. Headers of the request win.
 *
 * @param idHeader - the header of the id; false for none
 */
export const withIdentity = (send: Send, idHeader: string | false = defaultIdHeader): Send => {
  const name = idHeader === false ? '' : idHeader.toLowerCase();
  return async (request) => {
    const { callId, headers } = request;
    const id = name === '' || callId === '' ? {} : { [name]: callId };
    const response = await send({ ...request, headers: { ...agent, ...id, ...headers } });
    const own = name === '' ? null : response.headers.get(name);
    return { ...response, requestId: own ?? requestIdOf(response.headers) };
  };
};
