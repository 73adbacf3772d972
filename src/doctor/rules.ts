import { breaks } from './judgement.ts';
import { reasons, rule } from './rule.ts';
import { resources } from './rules/02-1-resources.ts';
import { methods } from './rules/04-2-methods.ts';
import { content } from './rules/04-3-content.ts';
import { query } from './rules/04-4-query.ts';
import { paging } from './rules/04-5-paging.ts';
import { authentication } from './rules/05-authentication.ts';
import { errors } from './rules/07-errors.ts';
import { statuses } from './rules/07-statuses.ts';

const service = [
  rule('§1 every API', 'It follows the same conventions, over HTTP.', { of: 'api' }, (server) => {
    if (!server.isOfFamily) breaks(undefined, 'an API of the family', server.server, 'fatal');
  }),
  rule('§1 resource kinds', 'The resource kinds are illustrations.', { nothing: 'no behaviour follows' }),
  rule('§1 own rules', 'An API may add rules of its own.', { unseen: 'they are not declared' }),
  rule('§1 test instances', 'Many APIs have a separate test instance.', reasons.forServers),
  rule('§1 business functions', 'Business functions of the individual APIs.', reasons.notShown),
  rule('§3 states and transitions', 'States and transitions of resources.', reasons.notShown),
  rule('§6 events', 'Events, webhooks, notifications.', reasons.notShown),
] as const;

/**
 * `§4.4` of `§4.4 sort`, `§4.5` of `§4.5.1`: the section that a rule belongs to. §9 has no sections of its
 * own.
 */
export const sectionOf = ({ id }: { readonly id: string }): string =>
  /^§(?:9|\d+(?:\.\d+(?= |\.))?)/.exec(id)?.[0] ?? id;

/**
 * Every rule of the conventions, by section: the list behind the tests of the conventions and the findings of
 * a diagnosis.
 */
export const rules = [
  ...service,
  ...resources,
  ...authentication,
  ...methods,
  ...content,
  ...query,
  ...paging,
  ...errors,
  ...statuses,
].sort((a, b) => sectionOf(a).localeCompare(sectionOf(b), 'en', { numeric: true }));

/** The id of a rule: its section (§), and a name where the conventions give no number. */
export type RuleId = (typeof rules)[number]['id'];
