import type { ResettableClock } from './clock.ts';
import type { Endpoint } from './endpoints.ts';
import type { Faults } from './faults.ts';
import type { AcceptedMethod, MockOptions, MockUser, RowFilter } from './options.ts';
import type { OrderedRows } from './order.ts';
import type { RequestLog } from './request-log.ts';
import type { FindRoute } from './routes.ts';
import type { Revision } from './store.ts';
import type { Tokens } from './tokens.ts';

/** Everything that one mock is made of. */
export interface World {
  readonly clock: ResettableClock;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly endpoints: readonly Endpoint[];
  readonly findRoute: FindRoute;
  readonly revision: Revision;
  readonly orderedRows: OrderedRows;
  readonly filters: ReadonlyMap<string, RowFilter>;
  readonly users: readonly MockUser[] | undefined;
  readonly acceptedMethods: ReadonlySet<string>;
  readonly authorize: (request: Request) => boolean;
  readonly defaultPerPage: number | undefined;
}

const allAccepted: readonly AcceptedMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The methods that answer 202 (§4.2). */
export const acceptedMethodsOf = (accepted: MockOptions['accepted']): ReadonlySet<string> =>
  new Set(accepted === true ? allAccepted : accepted === false ? [] : accepted);
