import type { Rule } from './rule.ts';
import { readings } from './rules/readings.ts';
import { section4 } from './rules/section-4.ts';
import { sections1to3 } from './rules/sections-1-to-3.ts';
import { sections5and6 } from './rules/sections-5-and-6.ts';
import { sections7to9 } from './rules/sections-7-to-9.ts';

const all = [...sections1to3, ...section4, ...sections5and6, ...sections7to9, ...readings] as const;

/** The id of a rule: a test that names another one does not compile. */
export type RuleId = (typeof all)[number]['id'];

/** Every rule of the conventions, in their order. */
export const rules: readonly Rule[] = all;
