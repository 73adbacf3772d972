import { header, jsonType } from '../src/conventions.ts';
import type { CollectionRoute, Route } from './collections/routes.ts';
import { type Content, checkContentType, readContent } from './content.ts';
import type { Context } from './context.ts';
import { Refusal } from './message.ts';

/** Responds to a request. `fetch`, the handlers for msw and the server are thin bindings of it. */
export type Respond = (request: Request) => Promise<Response>;

/** One request on its way through the mock. */
export interface Exchange<R extends Route = Route> {
  readonly request: Request;
  readonly url: URL;
  readonly route: R;
  readonly context: Context;
  /** Aborted when the mock is reset. */
  readonly run: AbortSignal;
  /** Reads the body when it is first called. */
  readonly content: () => Promise<Content>;
}

/** An exchange with a collection or with one of its resources. */
export interface Call extends Exchange<CollectionRoute> {
  /** The id of the record behind which a page of a list begins, in place of its number. */
  readonly afterId?: string | undefined;
  /** The number of records before a page of a list as it was sent, in place of the number of the page. */
  readonly offset?: { readonly parameter: string; readonly value: string } | undefined;
}

/** A stage of the mock: it responds, by itself or through the next one. */
export type Stage<E = Exchange> = (exchange: E) => Promise<Response>;

export const createExchange = (request: Request, context: Context): Exchange => {
  const url = new URL(request.url);
  let reading: Promise<Content> | undefined;
  const content = (): Promise<Content> => {
    reading ??= readContent(request);
    return reading;
  };
  const run = context.run.controller.signal;
  return { request, url, route: context.findRoute(url, request.method), context, run, content };
};

/**
 * The JSON body of a request.
 *
 * @throws {@link Refusal} 415 for another content type, 400 with `message` alone for a missing or invalid
 * body (§7.2.2)
 */
export const readJson = async ({ request, content }: Exchange): Promise<Content> => {
  const read = await content();
  const isEmpty = read.text.trim() === '';
  if (!isEmpty || request.headers.has(header.contentType)) checkContentType(request, jsonType);
  if (read.json !== undefined) return read;
  throw new Refusal(400, isEmpty ? 'A request body is required' : 'The request body is not valid JSON');
};
