import type { MockRequest } from './request-log.ts';

/** How many requests a message lists. */
const listed = 20;

/** Requests in words: method, path and status. No query, header or body: they may hold secrets. */
export const describeRequests = (requests: readonly MockRequest[]): string => {
  if (requests.length === 0) return '  (none)';
  const lines = requests
    .slice(-listed)
    .map(({ method, path, status }) => `  ${method} ${path} -> ${status || 'cut'}`);
  const left = requests.length - lines.length;
  return [...(left > 0 ? [`  (${left} before these)`] : []), ...lines].join('\n');
};
