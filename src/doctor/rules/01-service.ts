import { breaks } from '../judgement.ts';
import { rule } from '../rule.ts';

/** §1 What the service does, and §3, which shows nothing. */
export const service = [
  rule(
    '§1 every API',
    'Every API of the family follows the same conventions, over HTTP.',
    { of: 'api' },
    ({ stranger }) => {
      if (stranger !== undefined) breaks(undefined, 'an API of the family', stranger);
    },
  ),
  rule('§1 resource kinds', 'The resource kinds that are named are illustrations.', {
    nothing: 'no behaviour follows from an illustration',
  }),
  rule(
    '§1 own rules',
    'An API may add content types, authentication styles or rules of its own; each API states them.',
    {
      unseen: 'the declaration does not describe them',
    },
  ),
  rule('§1 test instances', 'Many APIs have a separate test instance.', {
    unseen: 'it is a rule for several servers',
  }),
  rule('§1 business functions', 'Business functions of the individual APIs.', {
    nothing: 'the conventions do not show it',
  }),
] as const;
