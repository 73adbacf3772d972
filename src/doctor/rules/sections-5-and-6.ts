import type { Rule } from '../rule.ts';

const notShown = 'the conventions do not show it';

/** Authentication and events (§5, §6). */
export const sections5and6 = [
  {
    id: '§5 scheme',
    says: 'Each API uses one of two schemes, or a style of its own; which is stated per API.',
  },
  { id: '§5.1.1', says: 'Username and password are joined with a single colon.' },
  { id: '§5.1.2', says: 'The joined string is encoded in base64.' },
  { id: '§5.1.3', says: 'It is sent as `Authorization: Basic <BASE64_CREDENTIALS>`.' },
  {
    id: '§5.2.1',
    says: 'A token is obtained with `grant_type=password`, username and password.',
  },
  { id: '§5.2.2', says: 'Every request carries `Authorization: Bearer <ACCESS_TOKEN>`.' },
  { id: '§5.2.3', says: 'The access token is valid for 10 minutes; expires_in gives the remaining seconds.' },
  {
    id: '§5.2.4',
    says: 'After expiry a new token is obtained, by the password request or by a refresh request.',
  },
  { id: '§5.2.5', says: 'A refresh token is valid for 30 days; refresh_expires_in gives the seconds.' },
  {
    id: '§5.2.6',
    says: 'A refresh request returns the shape of §2.2, with a new access token and a new refresh token.',
  },
  { id: '§5.2.7', says: 'A refresh token can be used once only.' },
  {
    id: '§5.2.8',
    says: 'For the test environment, tokens are obtained and refreshed at its own auth URL.',
  },
  {
    id: '§5.2.9',
    says: 'A missing or invalid token gets 401; a valid one without permission gets 403.',
  },
  { id: '§5.2 own style', says: 'Own-style authentication of older APIs.', nothing: notShown },
  { id: '§6 events', says: 'Events, webhooks, notifications.', nothing: notShown },
] as const satisfies readonly Rule[];
