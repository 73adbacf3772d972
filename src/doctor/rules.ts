import { breaks } from './judgement.ts';
import { forServers, notShown, rule } from './rule.ts';
import { resources } from './rules/02-1-resources.ts';
import { limits, tokenResponse } from './rules/02-2-tokens.ts';
import { authentication, tokenEndpointRules } from './rules/04-1-token-endpoint.ts';
import { methods } from './rules/04-2-methods.ts';
import { content } from './rules/04-3-content.ts';
import { query } from './rules/04-4-query.ts';
import { pageParameters, paging } from './rules/04-5-paging.ts';
import { errorBody } from './rules/07-errors.ts';
import { errorRules, statuses, versioning } from './rules/07-statuses.ts';

const service = [
  rule('§1 every API', 'It follows the same conventions, over HTTP.', { of: 'api' }, ({ otherFamily }) => {
    if (otherFamily !== undefined) breaks(undefined, 'an API of the family', otherFamily);
  }),
  rule('§1 resource kinds', 'The resource kinds are illustrations.', { nothing: 'no behaviour follows' }),
  rule('§1 own rules', 'An API may add rules of its own.', { unseen: 'they are not declared' }),
  rule('§1 test instances', 'Many APIs have a separate test instance.', forServers),
  rule('§1 business functions', 'Business functions of the individual APIs.', notShown),
] as const;

/** Every rule of the conventions, in their order: the list behind the tests of the conventions and the findings of a diagnosis. */
export const rules = [
  ...service,
  ...resources,
  ...tokenResponse,
  ...errorBody,
  ...tokenEndpointRules,
  ...methods,
  ...content,
  ...pageParameters,
  ...query,
  ...paging,
  ...authentication,
  ...statuses,
  ...errorRules,
  ...limits,
  ...versioning,
];

const ids = rules.map(({ id }) => id);

/** The id of a rule in a finding of {@link diagnose}: its section (§), and a name where the conventions give no number. */
export type RuleId = (typeof ids)[number];

/** `§4.4` of `§4.4 sort`, `§4.5` of `§4.5.1`: the section that a rule belongs to. */
export const sectionOf = ({ id }: { readonly id: string }): string =>
  /^§\d+(?:\.\d+(?= |\.))?/.exec(id)?.[0] ?? id;
