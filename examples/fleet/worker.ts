// One process of the fleet. Which of them logs in, and which of them renews the token, is settled in Redis.
import { Redis } from 'ioredis';
import { createClient, tokenAuth } from 'restkin';
import { redisStore } from 'restkin/redis';
import { ordering } from '../ordering.ts';

const { API_URL = '', REDIS_URL = '' } = process.env;
const [part = 0, parts = 1] = process.argv.slice(2).map(Number);

const redis = new Redis(REDIS_URL);
const client = createClient({
  baseUrl: API_URL,
  auth: tokenAuth({ authUrl: API_URL, username: 'ada', password: 'lovelace', store: redisStore(redis) }),
});
const { orders } = client.api(ordering);

/** Every worker takes an equal run of pages; together they read each order once. */
const readPart = async (): Promise<number> => {
  const perPage = 25;
  const { totalPages = 0 } = await orders.list({ perPage });
  const size = Math.ceil(totalPages / parts);
  let count = 0;
  for await (const _order of orders.list({ page: part * size + 1, perPage, maxPages: size })) count++;
  return count;
};

process.on('message', () => void readPart().then((count) => process.send?.(count)));
process.on('disconnect', () => redis.disconnect());
