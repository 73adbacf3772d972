// An API behind a gateway, as a process that can be killed: node upstream.ts PORT LOG
// It appends the key of each POST that it has done to LOG, and answers `x-slow` milliseconds later.
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '0', log = ''] = process.argv.slice(2);

const respond = async ({ method, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (method === 'POST') appendFileSync(log, `${String(headers['x-key'])}\n`);
  await sleep(Number(headers['x-slow'] ?? 0));
  response.writeHead(method === 'POST' ? 201 : 200, {
    'content-type': 'application/json',
    location: '/v1/notes/1',
  });
  response.end('{"id":1}');
};

createServer((request, response) => void respond(request, response)).listen(Number(port), '127.0.0.1');
