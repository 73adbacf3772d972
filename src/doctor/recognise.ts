import { header } from '../conventions.ts';
import { type Exchange, nameOf, valueIn } from './exchange.ts';
import { Judgement, judge } from './judgement.ts';
import { type Session, stringIn } from './session.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** True for a list of resources, and for an error with its body (§2.3). */
const mayBeOfFamily = (exchange: Exchange): boolean => {
  const { status, json } = exchange;
  if (status === 200) return Array.isArray(json);
  if (status === 404) return typeof valueIn(exchange, 'message') === 'string';
  return status < 300 || status === 304 || status >= 400;
};

/** Describes a server of another kind by its login and first list; undefined for one of the family. */
export const findOtherFamily = async (
  subject: Subject | undefined,
  session: Session,
  wire: Wire,
): Promise<string | undefined> => {
  const login = session.takesTokens ? await judge(session.login) : undefined;
  if (login instanceof Judgement && wire.silent > 0) return `${login.message}.`;
  if (subject === undefined) return undefined;
  const isLoggedIn =
    login !== undefined && !(login instanceof Judgement) && stringIn(login, 'access_token') !== undefined;
  // The token endpoint may be on another server, so a login does not show that the API is there.
  const first = await judge(() =>
    isLoggedIn || login === undefined ? subject.firstPage() : subject.send({}, { isAnonymous: true }),
  );
  if (first instanceof Judgement) return wire.silent > 0 ? `${first.message}.` : undefined;
  if (isLoggedIn || mayBeOfFamily(first)) return undefined;
  const type = first.headers.get(header.contentType) ?? 'no content type';
  return `${nameOf(first.request)} gets ${first.status} with ${type}, not a list of resources or an error body (§2.3): check the base URL.`;
};
