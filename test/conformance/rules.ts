import { type RuleId, rules as stated } from '../../src/doctor/rules.ts';
import type { Rule } from './rule.ts';

export type { RuleId };

const refusedByFetch = {
  'msw, fetch': 'fetch refuses to send it, so that no request reaches msw',
  'HTTP, fetch': 'fetch refuses to send it; node:http sends it instead',
} as const;

const samePage = 'msw responds inside of the page, which has no other origin';

const without: Readonly<Partial<Record<RuleId, Rule['without']>>> = {
  '§4.2 TRACE': refusedByFetch,
  '§4.2 TRACK': refusedByFetch,
  '§4.5 exposed header fields': { 'msw, fetch': samePage, 'msw, client': samePage },
};

/** Every rule of the conventions, in their order, with the ways in which it cannot be tested. */
export const rules: readonly Rule[] = stated.map((rule) => {
  const impossible = without[rule.id];
  return impossible === undefined ? rule : { ...rule, without: impossible };
});
