import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, waitForPort } from '../support/ports.ts';

/** A gateway that runs until it is disposed. */
export interface Gateway extends AsyncDisposable {
  readonly url: string;
  /** Makes nginx start new workers and end the old ones. */
  reload(): void;
}

/** The version that a program prints; undefined where it is not installed. */
export const versionOf = (program: 'nginx' | 'haproxy'): Promise<string | undefined> =>
  promisify(execFile)(program, ['-v']).then(
    ({ stdout, stderr }) => /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0],
    () => undefined,
  );

const start = async (
  program: string,
  toArguments: (file: string, folder: string) => readonly string[],
  toConfiguration: (port: number, folder: string) => string,
): Promise<Gateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-gateway-'));
  const port = await freePort();
  const file = join(folder, 'gateway.conf');
  await writeFile(file, toConfiguration(port, folder));
  const child: ChildProcess = spawn(program, toArguments(file, folder), { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitForPort(port);
  return {
    url: `http://127.0.0.1:${port}`,
    reload: () => child.kill('SIGHUP'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
};

/** nginx in front of one upstream. */
export const startNginx = (upstreamPort: number, readTimeoutMs = 5_000): Promise<Gateway> =>
  start(
    'nginx',
    (file, folder) => ['-c', file, '-p', folder, '-e', join(folder, 'error.log')],
    (port, folder) => `
daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      proxy_set_header Host $http_host;
      proxy_read_timeout ${readTimeoutMs}ms;
    }
  }
}
`,
  );

/** HAProxy that refuses what exceeds 20 requests a second, with a 429 that has no `Retry-After`. */
export const startHAProxy = (upstreamPort: number): Promise<Gateway> =>
  start(
    'haproxy',
    (file) => ['-db', '-f', file],
    (port) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend api
  bind 127.0.0.1:${port}
  stick-table type ip size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }
  default_backend servers
backend servers
  server one 127.0.0.1:${upstreamPort}
`,
  );
