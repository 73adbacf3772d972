import type { Rule } from './rule.ts';
import { readings } from './rules/readings.ts';
import { section4 } from './rules/section-4.ts';
import { sections1to3 } from './rules/sections-1-to-3.ts';
import { sections5and6 } from './rules/sections-5-and-6.ts';
import { sections7to9 } from './rules/sections-7-to-9.ts';

const all = [...sections1to3, ...section4, ...sections5and6, ...sections7to9, ...readings] as const;

/** The id of a rule: its section (§), and a name where the conventions give no number. */
export type RuleId = (typeof all)[number]['id'];

/** The rules that say nothing which could be tested. */
export type EmptyRuleId = Extract<(typeof all)[number], { readonly nothing: string }>['id'];

/**
 * Every rule of the conventions, in their order: the list behind the tests of the conventions, docs/conformance.md and the
 * findings of a diagnosis.
 */
export const rules: readonly (Rule & { readonly id: RuleId })[] = all;

/** `§4.4` of `§4.4 sort`, `§4.5` of `§4.5.1`: the section that a rule belongs to. */
export const sectionOf = ({ id }: Rule): string => /^§\d+(?:\.\d+(?= |\.))?/.exec(id)?.[0] ?? id;
