import ky from 'ky';
import { createClient } from 'restkin';
import { kyFetch } from 'restkin/ky';
import type { Connect } from '../wire.ts';
import { authOf, toPeer } from './restkin.ts';

/** restkin over an instance of ky. */
export const connect: Connect = async (where) =>
  toPeer(createClient({ baseUrl: where.baseUrl, auth: authOf(where), fetch: kyFetch(ky) }), where);
