import type { Case } from './case.ts';
import { authentication } from './cases/authentication.ts';
import { connections } from './cases/connections.ts';
import { errors } from './cases/errors.ts';
import { large } from './cases/large.ts';
import { mocks } from './cases/mocks.ts';
import { paging } from './cases/paging.ts';
import { reading } from './cases/reading.ts';
import { refusals } from './cases/refusals.ts';
import { writing } from './cases/writing.ts';

/** Every case, in the order of the table. */
export const cases: readonly Case[] = [
  ...authentication,
  ...reading,
  ...writing,
  ...paging,
  ...errors,
  ...connections,
  ...large,
  ...refusals,
  ...mocks,
];
