import type { errorChecks } from './checks/errors.ts';
import type { pagingChecks } from './checks/paging.ts';
import type { queryChecks } from './checks/query.ts';
import type { requestChecks } from './checks/requests.ts';
import type { resourceChecks } from './checks/resources.ts';
import type { tokenChecks } from './checks/token.ts';
import type { writeChecks } from './checks/writes.ts';
import type { EmptyRuleId, RuleId } from './rules.ts';

type JudgedId =
  | '§1 every API'
  | keyof typeof errorChecks
  | keyof typeof pagingChecks
  | keyof typeof queryChecks
  | keyof typeof requestChecks
  | keyof typeof resourceChecks
  | keyof typeof tokenChecks
  | keyof typeof writeChecks;

const client = 'it is a rule for clients';
const fetch = 'fetch does not send this method';
const permitted = 'servers may do it, but need not';
const over = 'it needs a limit that is not declared';

/** Why no request can judge a rule. A rule with neither a check nor an entry here does not compile. */
export const unseen: Readonly<Record<Exclude<RuleId, JudgedId | EmptyRuleId>, string>> = {
  '§1 own rules': 'the declaration does not describe them',
  '§1 test instances': 'it is a rule for several servers',
  '§2.1 arrays': permitted,
  '§2.1 self of what exists': 'judged as §2.1 self',
  '§4.1 Content-Type': client,
  '§4.1 process': 'judged as §4.1 method and path',
  '§4.1 failures': 'judged as §7.1 401 and §7.2.5',
  '§4.2 TRACE': fetch,
  '§4.2 TRACK': fetch,
  '§4.2 bulk requests':
    'bulk requests are not sent, because it is not certain that all they create can be removed',
  '§4.3.2': client,
  '§4.3.4 or 406': 'judged as §4.3.4: both statuses are in the conventions',
  '§4.4 undeclared': 'the conventions do not say what a parameter without support gets',
  '§4.4 sort of an unexpanded resource': permitted,
  '§5 scheme': 'judged as §5.1.3 and §5.2.2',
  '§5.1.1': client,
  '§5.1.2': client,
  '§5.2.1': 'judged as §4.1 method and path',
  '§5.2.3': 'judged as §8 access token lifetime',
  '§5.2.4': 'it needs ten minutes, until a token expires',
  '§5.2.5': 'judged as §8 refresh token lifetime',
  '§5.2.7 or 400': 'judged as §5.2.7',
  '§5.2.8': 'it is a rule for several servers',
  '§7.1 200': 'judged as §4.2 GET',
  '§7.1 201': 'judged as §4.2 POST',
  '§7.1 202': 'judged as §4.2 POST, PUT, PATCH and DELETE',
  '§7.1 204': 'judged as §4.2 PUT, PATCH and DELETE',
  '§7.1 304 without If-Modified-Since': permitted,
  '§7.1 406': 'judged as §4.3.4',
  '§7.1 413': over,
  '§7.1 413 without bulk': over,
  '§7.1 415 of the coding': permitted,
  '§7.1 400 of the amount': permitted,
  '§7.1 429': 'it needs more requests than the server allows',
  '§7.1 503': 'it needs an outage',
  '§8 refresh token uses': 'judged as §5.2.7',
  '§8 throttling': 'it needs more requests than the server allows',
  '§8 page size': 'judged as §4.4 perPage and §4.5.3',
  '§8 bulk': over,
  '§9.1': 'it is a rule for releases',
  '§9.2': 'it is a rule for releases',
  '§9.4': 'it is a rule for releases',
  '§9.4 header fields': permitted,
};
