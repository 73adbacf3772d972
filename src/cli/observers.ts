import type { Observers } from '../index.ts';
import type { Io } from './io.ts';

/** Says on stderr what a client does. The events hold no secret, and URLs come masked. */
export const observersOf = ({ err }: Io): Observers => {
  const say = (line: string): void => void err.write(`${line}\n`).catch(() => undefined);
  return {
    response: ({ method, url, status, durationMs }) =>
      say(`${method} ${url} ${status} in ${Math.round(durationMs)} ms`),
    retry: ({ error, delayMs }) => say(`${error}: once more in ${Math.round(delayMs)} ms`),
    token: ({ reason, grant }) => say(`token: ${reason}${grant === undefined ? '' : ` by ${grant}`}`),
    deprecation: ({ api, sunset }) =>
      say(`${api} is deprecated${sunset === undefined ? '' : `; it ends on ${sunset.toISOString()}`}`),
    drift: ({ reason }) => say(`the list changed while it was read: ${reason}`),
  };
};
