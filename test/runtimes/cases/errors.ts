import {
  ForbiddenError,
  isApiError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  tokenAuth,
  ValidationError,
} from 'restkin';
import type { Case } from '../case.ts';
import { connect, newOrder } from '../connect.ts';
import { logins } from '../declaration.ts';
import { expectEqual, expectTrue, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const statusesAt = async (stage: Stage): Promise<readonly number[]> =>
  (await stage.seen()).requests.map(({ status }) => status);

/** §7. */
export const errors: readonly Case[] = [
  {
    name: '§7.1 404 is `NotFoundError` with the message of the body',
    run: async (stage) => {
      const error = await rejectionAs(NotFoundError, connect(stage).orders.get(4_711));
      expectEqual([error.status, isApiError(error), error.attempts.length], [404, true, 1], 'Error');
      expectTrue(error.message.includes('4711'), `The message is ${error.message}`);
    },
  },
  {
    name: '§7.2.3 a validation failure is `ValidationError` with the errors of each field',
    run: async (stage) => {
      // Not what the types allow: the server is the one to refuse it.
      const body = { ...newOrder, status: 'lost' as 'open', note: 5 as unknown as string };
      const { fieldErrors } = await rejectionAs(ValidationError, connect(stage).orders.create(body));
      expectEqual(Object.keys(fieldErrors).toSorted(), ['note', 'status'], 'Fields');
    },
  },
  {
    name: '§5.2.9 403 is `ForbiddenError`, and leads to no renewal',
    run: async (stage) => {
      const { authUrl } = stage;
      const auth = tokenAuth({ authUrl, ...logins.reader });
      await rejectionAs(ForbiddenError, connect(stage, { auth }).orders.delete(1));
      expectEqual((await stage.seen()).grants, ['password 200'], 'Grants');
    },
  },
  {
    name: '§7.1 429 is waited for as long as `Retry-After` says, also with POST',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', status: 429, headers: { 'retry-after': '1' } });
      const waits: number[] = [];
      const { orders } = connect(stage, { on: { retry: ({ delayMs }) => waits.push(delayMs) } });
      await orders.create(newOrder);
      expectTrue(waits.length === 1 && (waits[0] ?? 0) >= 1_000, `The waits were ${waits.join()}`);
      expectEqual(await statusesAt(stage), [429, 201], 'Answers');
    },
  },
  {
    name: '§7.1 429 with a long `Retry-After` is `TooManyRequestsError` at once, with `retryAfterMs`',
    run: async (stage) => {
      await stage.fault({ collection: 'orders', status: 429, headers: { 'retry-after': '3600' } });
      const error = await rejectionAs(TooManyRequestsError, connect(stage).orders.get(1));
      expectEqual(error.retryAfterMs, 3_600_000, 'Retry-After');
      expectEqual(await statusesAt(stage), [429], 'Answers');
    },
  },
  {
    name: '§7.1 503 to GET is retried; to POST it is `ServiceUnavailableError`',
    run: async (stage) => {
      const { orders } = connect(stage);
      await stage.fault({ collection: 'orders', status: 503, times: 3 });
      await rejectionAs(ServiceUnavailableError, orders.create(newOrder));
      await orders.get(1);
      expectEqual(await statusesAt(stage), [503, 503, 503, 200], 'Answers');
    },
  },
];
