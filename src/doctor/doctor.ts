/**
 * Examines a server: does it keep the conventions, and does its data fit the declaration?
 *
 * @module restkin/doctor
 */

import type { ApiDeclaration } from '../index.ts';
import { examine } from './examine.ts';
import type { Diagnosis } from './finding.ts';
import { type DiagnoseOptions, readExamination } from './options.ts';

export type {
  Diagnosis,
  Failed,
  Finding,
  Outcome,
  Passed,
  ShownExchange,
  Undecided,
} from './finding.ts';
export type { DiagnoseOptions } from './options.ts';

/**
 * Examines a server by the rules of the conventions, and its data by the declaration. It sends one request at a
 * time, and only reads unless `allowWrites` is set. No finding holds a credential, a token or the value of a
 * field other than `id`.
 *
 * @param api - what `defineApi` returned
 * @throws `InvalidRequestError` for invalid options; the reason of `signal` when it is aborted
 * @example
 * ```ts
 * const { findings, counts } = await diagnose(ordering, { baseUrl, authUrl, username, password });
 * for (const finding of findings) {
 *   if (finding.outcome === 'fail') console.log(finding.rule, finding.where, finding.expected, finding.found);
 * }
 * console.log(counts.pass, counts.fail);
 * ```
 */
export const diagnose = async (api: ApiDeclaration, options: DiagnoseOptions): Promise<Diagnosis> =>
  examine(readExamination(api, options));
