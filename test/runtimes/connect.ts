import { type ClientOptions, createClient, tokenAuth } from 'restkin';
import { logins, ordering } from './declaration.ts';
import type { StageUrls } from './stage.ts';

/** A client of a stage, logged in as Ada; its retries hardly wait. */
export const connectClient = (
  { apiUrl, authUrl }: Pick<StageUrls, 'apiUrl' | 'authUrl'>,
  options: Partial<ClientOptions> = {},
) =>
  createClient({
    baseUrl: apiUrl,
    auth: tokenAuth({ authUrl, ...logins.ada }),
    retry: { baseDelayMs: 1 },
    ...options,
  });

/** The collections of a stage, for {@link connectClient}. */
export const connect = (stage: Pick<StageUrls, 'apiUrl' | 'authUrl'>, options: Partial<ClientOptions> = {}) =>
  connectClient(stage, options).api(ordering);

/** An order as a client sends it. */
export const newOrder = {
  status: 'open',
  placedAt: new Date('2026-03-04T05:06:07Z'),
  company: { id: 3 },
} as const;
