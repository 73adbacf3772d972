// Requests as fast as they are answered, over connections that are kept alive: node load.js <url> <seconds>
import { writeSync } from 'node:fs';
import { Pool } from 'undici';

const connections = 16;
const [origin = '', seconds = '3'] = process.argv.slice(2);
const pool = new Pool(origin, { connections });

const login = await pool.request({
  method: 'POST',
  path: '/auth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'grant_type=password&username=ada&password=lovelace',
});
const { access_token: token } = (await login.body.json()) as { access_token: string };

const request = {
  method: 'GET',
  path: '/v1/things?sort=-createdAt,name&perPage=25&page=3',
  headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
} as const;

const check = async (): Promise<void> => {
  const { statusCode, body } = await pool.request(request);
  const things = (await body.json()) as unknown[];
  if (statusCode !== 200 || things.length !== 25) throw new Error(`The answer was ${statusCode}`);
};

const runUntil = async (end: number): Promise<number> => {
  let answered = 0;
  const run = async (): Promise<void> => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request(request);
      await body.dump();
      if (statusCode !== 200) throw new Error(`The answer was ${statusCode}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  return answered;
};

await check();
const warmUp = await runUntil(performance.now() + 1_000);
const start = performance.now();
const answered = await runUntil(start + Number(seconds) * 1_000);
writeSync(
  1,
  JSON.stringify({
    perSecond: (answered * 1_000) / (performance.now() - start),
    answered: warmUp + answered,
  }),
);
process.exit();
