import type { Schema } from '../schema/types/shape.ts';
import { type Exchange, type Json, once, sentStatus, type WireRequest } from './exchange.ts';
import { cannotTell, unlessJudged } from './judgement.ts';
import { mark, markerIn, markerStart, toBody } from './marker.ts';
import type { Examination } from './options.ts';
import { type Attempt, locate, undo } from './removal.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** A resource that the doctor created. */
export interface Made {
  readonly url: string;
  readonly sent: Json;
  readonly exchange: Exchange;
}

type PostRequest = Partial<WireRequest> & { readonly body: string };

/** Creates resources in a collection, and removes them. */
export interface Writer {
  readonly subject: Subject;
  /** The schema of a body to create. */
  readonly schema: Schema;
  create(): Promise<Made>;
  /** The one resource that several rules share. */
  made(): Promise<Made>;
  body(): Promise<Json>;
  /** Sends a POST to the collection. Whatever comes of it is removed later. */
  post(request: PostRequest): Promise<Exchange>;
  /** Removes everything that was created. Returns the URLs of what may be left. */
  removeAll(): Promise<readonly string[]>;
}

/** What to do about a server that refuses the body. */
const adviceOn = (isGiven: boolean, status: number): string =>
  isGiven
    ? `the body in \`bodies\`, whose first plain string is a marker, got ${status}; declare a string of few values as z.enum`
    : `a copy of a resource got ${status}; pass a body that can be created in \`bodies\``;

export const createWriter = (
  subject: Subject,
  wire: Wire,
  { allowWrites, bodies = {} }: Examination,
): Writer => {
  const { options } = subject;
  const given = bodies[subject.key];
  const schema = options.bodies?.create ?? subject.resource;
  const attempts: Attempt[] = [];

  const body = async (): Promise<Json> => {
    if (!allowWrites) cannotTell('it needs writes, which allowWrites permits', 'writes');
    const copy = given ?? (toBody(schema, (await subject.firstRecords()).records[0]) as Json);
    const marker = `${markerStart}${crypto.randomUUID().slice(0, 8)}`;
    return mark(schema, copy, marker, subject.keyField);
  };

  const post = async (request: PostRequest) => {
    const marker = markerIn(request.body) ?? cannotTell('the body has no marker');
    const sentBefore = wire.state.sent;
    let exchange: Exchange | undefined;
    let url: string | undefined;
    try {
      exchange = await subject.send({ method: 'POST', ...request });
      url = await locate(subject, marker, exchange);
      return { exchange, url };
    } finally {
      // Without a response, the resource may have been created.
      if (wire.state.sent > sentBefore) attempts.push({ marker, status: exchange?.status, url });
    }
  };

  const create = async (): Promise<Made> => {
    const sent = await body();
    if (options.accepts?.includes('create') === true)
      cannotTell('the server may create it later, when it can no longer be removed');
    const { exchange, url } = await post({ body: JSON.stringify(sent) });
    const status = sentStatus(exchange);
    if (status >= 400) cannotTell(adviceOn(given !== undefined, status));
    if (url === undefined)
      return cannotTell(`the POST got ${status}, but the created resource was not found`);
    return { url, sent, exchange };
  };

  return {
    subject,
    schema,
    create,
    made: once(create),
    body,
    post: async (request) => (await post(request)).exchange,
    removeAll: async () => {
      const left: string[] = [];
      for (const attempt of attempts.splice(0)) {
        const unknown = [attempt.url ?? subject.url()];
        left.push(...(await unlessJudged(() => undo(subject, attempt), unknown)));
      }
      return left;
    },
  };
};
