import { header } from '../conventions.ts';
import { type Exchange, nameOf, valueIn } from './exchange.ts';
import { Judgement, judge } from './judgement.ts';
import { type Session, stringIn } from './session.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** True for a list of resources, and for an error with its body (§2.3). */
const mayBeOfFamily = ({ status, json }: Exchange, message: unknown): boolean => {
  if (status === 200) return Array.isArray(json);
  if (status === 404) return typeof message === 'string';
  return status < 300 || status === 304 || status >= 400;
};

/**
 * Looks at the login and at the first list before anything is judged. A server of another kind is described in a sentence,
 * and gets no further request.
 *
 * @returns what the server is, in a sentence; undefined for one of the family
 */
export const findOtherFamily = async (
  subject: Subject | undefined,
  session: Session,
  wire: Wire,
): Promise<string | undefined> => {
  const login = session.takesTokens ? await judge(session.login) : undefined;
  if (login instanceof Judgement && wire.received === 0 && wire.sent > 0) return `${login.message}.`;
  if (subject === undefined) return undefined;
  const isLoggedIn =
    login !== undefined && !(login instanceof Judgement) && stringIn(login, 'access_token') !== undefined;
  // The token endpoint may be on another server, so a login does not show that the API is there.
  const first = await judge(() =>
    isLoggedIn ? subject.firstPage() : subject.send({}, { isAnonymous: login !== undefined }),
  );
  if (first instanceof Judgement) return wire.silent > 0 ? `${first.message}.` : undefined;
  if (isLoggedIn || mayBeOfFamily(first, valueIn(first, 'message'))) return undefined;
  const type = first.headers.get(header.contentType) ?? 'no content type';
  return `${nameOf(first.request)} gets ${first.status} with ${type}, not a list of resources or an error body (§2.3): check the base URL.`;
};
