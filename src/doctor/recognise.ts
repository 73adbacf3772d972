import { header } from '../conventions.ts';
import { repetitionNote } from '../http/url.ts';
import { type Exchange, recordsPathIn, valueIn } from './exchange.ts';
import type { Diagnosis } from './finding.ts';
import { Judgement, judge } from './judgement.ts';
import { isRefused, type Session, stringIn } from './session.ts';
import { nameOf, showType } from './shown.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** What is known of a server before its rules are judged. */
export type Server = Pick<Diagnosis, 'isOfFamily' | 'isLoginRefused' | 'server'>;

/** False for a success without a list, for a redirect, and for a 404 without an error body (§2.3). */
const mayBeOfFamily = (exchange: Exchange): boolean => {
  const { status, json } = exchange;
  // Records in another place are an error of the declaration.
  if (status === 200) return Array.isArray(json) || recordsPathIn(exchange) !== undefined;
  return status === 404 ? valueIn(exchange, 'message') !== undefined : status === 304 || status >= 400;
};

const isResponse = (end: Exchange | Judgement | undefined): end is Exchange =>
  end !== undefined && !(end instanceof Judgement);

/** Recognises a server by its login, and by a GET of a collection. */
export const recognise = async (probe: Subject | undefined, session: Session, wire: Wire) => {
  const other = (server: string): Server => ({ isOfFamily: false, isLoginRefused: false, server });
  const isSilent = (end: unknown): end is Judgement => end instanceof Judgement && wire.state.silent > 0;

  const login = session.takesTokens ? await judge(session.login) : undefined;
  if (isSilent(login)) return other(`${login.message}.`);
  const isAnonymous = (await judge(session.authorize)) instanceof Judgement;
  // The token endpoint may be on another server, so a login does not show that the API is there.
  const first =
    probe && (await judge(() => (isAnonymous ? probe.send({}, { isAnonymous }) : probe.firstPage())));
  if (isSilent(first)) return other(`${first.message}.`);
  // A wrong URL says nothing about the server.
  const isWrong = ({ status, request }: Exchange) => status === 404 && repetitionNote(request.url) !== '';
  const lost = [login, first].filter(isResponse).find(isWrong);
  if (lost) return other(`${nameOf(lost.request)} gets 404${repetitionNote(lost.request.url)}.`);
  const isLoggedIn = isResponse(login) && stringIn(login, 'access_token') !== undefined;
  if (isResponse(first) && !isLoggedIn && !mayBeOfFamily(first)) {
    const type = showType(first.headers.get(header.contentType));
    return other(
      `${nameOf(first.request)} gets ${first.status} with ${type}, not a list of resources or an error body (§2.3): check the base URL.`,
    );
  }
  const end = login ?? (isAnonymous ? undefined : first);
  const isLoginRefused = isResponse(end) && isRefused(end);
  const server = isLoginRefused
    ? `The server refused the credentials (${end.status}), so nothing that needs a login was examined.`
    : 'The server responds as an API of the family does.';
  return { isOfFamily: true, isLoginRefused, server };
};
