import { InvalidRequestError } from './errors/restkin-error.ts';

/**
 * Refuses a runtime without what restkin needs, before it fails where nobody would look for the reason.
 *
 * @throws {@link InvalidRequestError} saying which version is needed
 */
export const requireRuntime = (): void => {
  // In the typed libraries it always exists.
  const { withResolvers } = Promise as Partial<typeof Promise>;
  if (withResolvers !== undefined) return;
  const node = globalThis.process?.versions?.node;
  const here = node === undefined ? '' : `; this is Node ${node}`;
  throw new InvalidRequestError(
    `restkin needs Node 22.13 or newer, or a browser with Promise.withResolvers${here}`,
  );
};

/** True on a web page and in its workers. */
export const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis;
