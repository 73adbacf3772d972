import { createClient } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import type { Connect } from '../wire.ts';
import { authOf, toPeer } from './restkin.ts';

/** restkin over `restkin/undici`. */
export const connect: Connect = async (where) =>
  toPeer(createClient({ baseUrl: where.baseUrl, auth: authOf(where), fetch: undiciFetch() }), where);
