import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';
import { blocksOf, readDocument, readShared } from './docs-blocks.ts';

// The recipe of the guide for a token server with other paths and names, against one that behaves as
// SimpleJWT.

const program = `import { createServer } from 'node:http';
import { createClient, tokenAuth } from 'restkin';
import { ordering } from './ordering.ts';
import { simpleJwt } from './simple-jwt.ts';

const requests: string[] = [];
let issued = 0;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const body = text === '' ? {} : JSON.parse(text);
  const reply = (status: number, value: object) => {
    requests.push(\`\${status} \${request.method} \${request.url}: \${Object.keys(body)}.\`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if (request.url === '/api/token/') {
    const isKnown = body.username === 'ada' && body.password === 'lovelace';
    if (!isKnown) return reply(401, { detail: 'No active account found with the given credentials' });
    return reply(200, MISSING ? { refresh: 's3cret' } : { access: \`access-\${++issued}\`, refresh: 'refresh-1' });
  }
  if (request.url === '/api/token/refresh/') {
    return body.refresh === 'refresh-1' ? reply(200, { access: \`access-\${++issued}\` }) : reply(401, {});
  }
  if (request.headers.authorization !== \`Bearer access-\${issued}\`) return reply(401, { detail: 'token_not_valid' });
  return reply(200, []);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as { readonly port: number };
const url = \`http://127.0.0.1:\${port}\`;

const log = async (password: string) => {
  const auth = tokenAuth({ authUrl: url, username: 'ada', password, refreshTokenRotation: false });
  const { orders } = createClient({ baseUrl: url, auth, fetch: simpleJwt, retry: false }).api(ordering);
  for (let call = 0; call < 3; call++) {
    await orders.list().catch((error: Error) => requests.push(error.message.replace(url, '')));
    issued++; // The server ends the access token early.
  }
};
await log(PASSWORD);
console.log(requests.join('\\n'));
server.close();
server.closeAllConnections();
`;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const guide = blocksOf(await readDocument('docs/authentication.md'));
  const recipe = guide.filter(({ file }) => file === 'simple-jwt.ts');
  if (recipe.length !== 1) throw new Error('the guide must have one block for simple-jwt.ts');
  for (const { file, code } of [...(await readShared()), ...recipe]) await consumer.write(file, code);
}, 60_000);
afterAll(() => consumer.remove());

const run = async (password: string, isMissing = false) => {
  const code = program.replace('PASSWORD', JSON.stringify(password)).replace('MISSING', String(isMissing));
  await consumer.write('program.ts', code);
  const { stdout } = await consumer.node(['program.ts']);
  return stdout.trimEnd().split('\n');
};

test('the recipe for SimpleJWT logs in once, and renews with the refresh token after each 401', async () => {
  const list = (status: number) => `${status} GET /v1/orders: .`;
  const renewal = [list(401), '200 POST /api/token/refresh/: refresh.', list(200)];
  expect(await run('lovelace')).toEqual([
    '200 POST /api/token/: username,password.',
    list(200),
    ...renewal,
    ...renewal,
  ]);
});

test('a wrong password is told, and a response without a token is not quoted', async () => {
  expect((await run('wrong')).join('\n')).toContain(
    'POST /auth/token: 401 Unauthorized: the username or password was refused: No active account found',
  );
  const missing = (await run('lovelace', true)).join('\n');
  expect(missing).toContain('POST /auth/token: 200: the response has no access_token');
  expect(missing).not.toContain('s3cret');
});
