import { breaks } from '../judgement.ts';
import { forServers, notShown, rule } from '../rule.ts';

export const service = [
  rule('§1 every API', 'It follows the same conventions, over HTTP.', { of: 'api' }, ({ otherFamily }) => {
    if (otherFamily !== undefined) breaks(undefined, 'an API of the family', otherFamily);
  }),
  rule('§1 resource kinds', 'The resource kinds are illustrations.', { nothing: 'no behaviour follows' }),
  rule('§1 own rules', 'An API may add rules of its own.', { unseen: 'they are not declared' }),
  rule('§1 test instances', 'Many APIs have a separate test instance.', forServers),
  rule('§1 business functions', 'Business functions of the individual APIs.', notShown),
] as const;
