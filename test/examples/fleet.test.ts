import { expect, test } from 'vitest';
import { skipRedis } from '../support/redis-server.ts';
import { startExample } from './example-process.ts';

test.skipIf(skipRedis)(
  'a fleet shares one login: one password grant, and one refresh when the token expires',
  async () => {
    const { stdout, stderr, end } = await startExample(['examples/fleet/main.ts', '3'], { REDIS_URL: '' })
      .ended;
    expect({ stderr, end }).toEqual({ stderr: '', end: 0 });
    expect(stdout.trimEnd().split('\n')).toEqual([
      '3 workers read 350 + 350 + 300 = 1000 orders',
      'token grants so far: 1 password, 0 refresh',
      'eleven minutes later, the access token of all of them has expired',
      '3 workers read 350 + 350 + 300 = 1000 orders',
      'token grants so far: 1 password, 1 refresh',
    ]);
  },
);
