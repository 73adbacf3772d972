import { header } from '../conventions.ts';
import { type Exchange, nameOf, valueIn } from './exchange.ts';
import type { Diagnosis } from './finding.ts';
import { Judgement, judge } from './judgement.ts';
import { type Session, stringIn } from './session.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

type Server = Pick<Diagnosis, 'isOfFamily' | 'isLoginRefused' | 'server'>;

/** False for a page, a redirect and what else is no list, and for a path that this server does not know (§2.3). */
const mayBeOfFamily = (exchange: Exchange): boolean => {
  const { status, json } = exchange;
  if (status === 200) return Array.isArray(json);
  return status === 404 ? valueIn(exchange, 'message') !== undefined : status === 304 || status >= 400;
};

/** Recognises a server by its login and by the first page of a list. */
export const recognise = async (
  subject: Subject | undefined,
  session: Session,
  wire: Wire,
): Promise<Server> => {
  const other = (server: string): Server => ({ isOfFamily: false, isLoginRefused: false, server });
  const login = session.takesTokens ? await judge(session.login) : undefined;
  if (login instanceof Judgement && wire.state.silent > 0) return other(`${login.message}.`);
  const isLoggedIn =
    login !== undefined && !(login instanceof Judgement) && stringIn(login, 'access_token') !== undefined;
  // The token endpoint may be on another server, so a login does not show that the API is there.
  const first =
    subject &&
    (await judge(() =>
      isLoggedIn || login === undefined ? subject.firstPage() : subject.send({}, { isAnonymous: true }),
    ));
  if (first instanceof Judgement && wire.state.silent > 0) return other(`${first.message}.`);
  if (first !== undefined && !(first instanceof Judgement) && !isLoggedIn && !mayBeOfFamily(first)) {
    const type = first.headers.get(header.contentType) ?? 'no content type';
    return other(
      `${nameOf(first.request)} gets ${first.status} with ${type}, not a list of resources or an error body (§2.3): check the base URL.`,
    );
  }
  const end = login ?? first;
  const isLoginRefused = end !== undefined && !(end instanceof Judgement) && end.status === 401;
  const server = isLoginRefused
    ? 'The server refused the credentials (401), so nothing that needs a login was examined.'
    : 'The server responds as an API of the family does.';
  return { isOfFamily: true, isLoginRefused, server };
};
