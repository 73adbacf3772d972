import { tokenPath, versionPrefix } from '../conventions.ts';
import { isObject } from '../schema/read-options.ts';
import { type Exchange, nameOf } from './exchange.ts';
import { Judgement } from './judgement.ts';
import { type Session, stringIn } from './session.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** What a server is. */
export interface Recognised {
  readonly isOfFamily: boolean;
  /** In a sentence or two. */
  readonly server: string;
}

type Outcome = Exchange | string;

/** An exchange, or why there is none. */
const outcomeOf = async (sending: Promise<Exchange>): Promise<Outcome> => {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof Judgement && error.verdict.outcome !== 'fail') return error.verdict.reason;
    throw error;
  }
};

const typeOf = ({ headers }: Exchange): string =>
  headers.get('content-type')?.split(';', 1)[0] ?? 'no content type';

/** What a response is, when it is none of the family; undefined when it may be one. */
const strange = (exchange: Exchange): string | undefined => {
  const { request, status, headers, json, body } = exchange;
  const name = nameOf(request);
  if (status >= 300 && status < 400 && status !== 304) {
    const location = headers.get('location') ?? '';
    const to = URL.canParse(location, request.url) ? new URL(location, request.url).origin : 'nowhere';
    return `${name} is redirected (${status}) to ${to}: the base URL may be that of a website, or use another scheme`;
  }
  if (status === 200 && json === undefined) {
    return `${name} gets 200 with ${typeOf(exchange)} (${body.length} characters): this is a website, or a proxy in front of the API`;
  }
  if (status === 200 && !Array.isArray(json)) {
    const names = isObject(json) ? `the fields ${Object.keys(json).slice(0, 6).join(', ')}` : 'no fields';
    return `${name} gets JSON that is no list of resources, with ${names}: the API wraps its lists, or is of another family`;
  }
  if (status === 404 && !(isObject(json) && typeof json.message === 'string')) {
    return `${name} gets 404 with ${typeOf(exchange)}, not with an error body (§2.3): there is no such API here`;
  }
  return undefined;
};

/** Whether the list is there without its version: then this is a server of another kind, or the path is wrong. */
const unversioned = async (subject: Subject, wire: Wire): Promise<string | undefined> => {
  const url = subject.url().replace(`/${versionPrefix}${subject.version}/`, '/');
  const found = await outcomeOf(
    wire.send({ method: 'GET', url, headers: { accept: 'application/json' }, where: subject.key }),
  );
  if (typeof found === 'string' || found.status !== 200 || !Array.isArray(found.json)) return undefined;
  return `GET ${url} gets a list without a version in its path (§9.3) and without a login (§5): this is another kind of JSON server`;
};

/**
 * Looks at the login and at the first list before anything is judged: what is no API of the family gets a sentence, and
 * no further request.
 */
export const recognise = async (
  subject: Subject | undefined,
  session: Session,
  wire: Wire,
): Promise<Recognised> => {
  const ofFamily: Recognised = {
    isOfFamily: true,
    server: 'The server responds as an API of the family does.',
  };
  const other = (server: string): Recognised => ({ isOfFamily: false, server });
  const login = session.requestTokens === undefined ? undefined : await outcomeOf(session.login());
  if (typeof login === 'object' && stringIn(login, 'access_token') !== undefined) {
    // The token endpoint may be on another server, so a login does not show that the API is there.
    const list = subject === undefined ? undefined : await outcomeOf(subject.get(subject.url()));
    return typeof list === 'string' && wire.silent > 0 ? other(`${list}.`) : ofFamily;
  }
  if (typeof login === 'string' && wire.exchanges.length === 0 && wire.sent > 0) return other(`${login}.`);
  if (subject === undefined) return ofFamily;
  const first = await outcomeOf(subject.send({}, { isAnonymous: login !== undefined }));
  if (typeof first === 'string') return wire.exchanges.length === 0 ? other(`${first}.`) : ofFamily;
  const what = strange(first);
  if (what === undefined) return ofFamily;
  const details = [what, first.status === 404 ? await unversioned(subject, wire) : undefined];
  if (typeof login === 'object' && login.status !== 200) {
    details.push(
      `POST …/${tokenPath} gets ${login.status} with ${typeOf(login)}: there is no token endpoint`,
    );
  }
  return other(`${details.filter((detail) => detail !== undefined).join('.\n')}.`);
};
