import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

const script = (origin: string): string => `
  const { createClient, basicAuth } = await import(${urlOf('../../../src/index.ts')});
  const { undiciFetch } = await import(${urlOf('../../../src/adapters/undici.ts')});
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const client = createClient({ baseUrl: '${origin}', auth, fetch: undiciFetch() });
  const call = () => client.request({ method: 'GET', path: 'v1/things' });
  await Promise.all([call(), call()]);
  console.log(JSON.stringify(await call()));
`;

test('a script with undiciFetch ends by itself while its connections are kept alive', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  // Longer than the script may take.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const args = ['--no-warnings', '--input-type=module', '--eval', script(`http://127.0.0.1:${port}`)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
  expect(stdout).toBe('[]\n');
});
