import { createClient } from 'restkin';
import type { Connect } from '../wire.ts';
import { authOf, toPeer } from './restkin.ts';

/** restkin over the built-in `fetch` as one that is given, so without ky: what is between this and `restkin` is ky's. */
export const connect: Connect = async (where) =>
  toPeer(
    createClient({
      baseUrl: where.baseUrl,
      auth: authOf(where),
      fetch: (input, init) => globalThis.fetch(input, init),
    }),
    where,
  );
