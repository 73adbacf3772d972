/** What the mock reads of a request. A `Request` is one; a server makes one without the cost of a `Request`. */
export type Incoming = Pick<Request, 'method' | 'url' | 'headers' | 'signal' | 'body'>;

/** A `Request` without its body, for code of the user that is given one. */
export const toRequest = (incoming: Incoming): Request => {
  if (incoming instanceof Request) return incoming;
  const { url, method, headers } = incoming;
  return new Request(url, { method, headers });
};
