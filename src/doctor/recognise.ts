import { header } from '../conventions.ts';
import { isObject } from '../options.ts';
import { type Exchange, nameOf, valueIn } from './exchange.ts';
import { Judgement, judge } from './judgement.ts';
import { type Session, stringIn } from './session.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

const typeOf = ({ headers }: Exchange): string =>
  headers.get(header.contentType)?.split(';', 1)[0] ?? 'no content type';

/** What a response is when it is not from an API of the family; undefined when it may be. */
const strange = (exchange: Exchange): string | undefined => {
  const { request, status, headers, json, body } = exchange;
  const name = nameOf(request);
  if (status >= 300 && status < 400 && status !== 304) {
    const location = headers.get(header.location) ?? '';
    const to = URL.canParse(location, request.url) ? new URL(location, request.url).origin : 'nowhere';
    return `${name} is redirected (${status}) to ${to}: the base URL may be that of a website, or use another scheme`;
  }
  if (status === 200 && json === undefined) {
    return `${name} gets 200 with ${typeOf(exchange)} (${body.length} characters): this is a website, or a proxy in front of the API`;
  }
  if (status === 200 && !Array.isArray(json)) {
    const names = isObject(json) ? `the fields ${Object.keys(json).slice(0, 6).join(', ')}` : 'no fields';
    return `${name} gets JSON that is not a list of resources, with ${names}: the API wraps its lists, or is of another family`;
  }
  if (status === 404 && typeof valueIn(exchange, 'message') !== 'string') {
    return `${name} gets 404 with ${typeOf(exchange)}, not with an error body (§2.3): there is no such API here`;
  }
  return undefined;
};

/**
 * Looks at the login and at the first list before anything is judged. A server of another kind is described in a sentence,
 * and gets no further request.
 *
 * @returns what the server is, in a sentence or two; undefined for one of the family
 */
export const findOtherFamily = async (
  subject: Subject | undefined,
  session: Session,
  wire: Wire,
): Promise<string | undefined> => {
  const login = session.takesTokens ? await judge(session.login) : undefined;
  const received = login instanceof Judgement ? undefined : login;
  if (login instanceof Judgement && wire.received === 0 && wire.sent > 0) return `${login.message}.`;
  if (subject === undefined) return undefined;
  if (received !== undefined && stringIn(received, 'access_token') !== undefined) {
    // The token endpoint may be on another server, so a login does not show that the API is there.
    const list = await judge(() => subject.get(subject.url()));
    return list instanceof Judgement && wire.silent > 0 ? `${list.message}.` : undefined;
  }
  const first = await judge(() => subject.send({}, { isAnonymous: login !== undefined }));
  if (first instanceof Judgement) return wire.received === 0 ? `${first.message}.` : undefined;
  const what = strange(first);
  return what && `${what}.`;
};
