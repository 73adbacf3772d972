import { errors, requests } from './mutants/requests.ts';
import { paging, queries, resources } from './mutants/resources.ts';
import { tokens } from './mutants/tokens.ts';
import { writes } from './mutants/writes.ts';

/** Each breaks one rule. Those that take writes are apart. */
export const mutants = {
  reading: { ...tokens, ...requests, ...errors, ...resources, ...queries, ...paging },
  writing: writes,
} as const;
