import type { Case } from './case.ts';
import { callCases } from './cases/calls.ts';
import { connectionCases } from './cases/connections.ts';
import { largeCases } from './cases/large.ts';
import { loginCases } from './cases/logins.ts';
import { mockCases } from './cases/mocks.ts';

/** What may differ from runtime to runtime; all else is tested on one of them. */
export const cases: readonly Case[] = [
  ...loginCases,
  ...callCases,
  ...connectionCases,
  ...largeCases,
  ...mockCases,
];
