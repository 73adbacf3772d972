import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AmbiguousOutcomeError, ConnectionError } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, failureOf, order, orderBody } from '../../support/basic-ordering.ts';
import { temporaryFolder } from '../../support/runs.ts';

/** A key that is not in the repository, where scanners would find it. */
const createCertificate = () => {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
};

/** A server that speaks HTTP/2 and HTTP/1.1 over TLS. It drops what is sent to order 13. */
const startTlsServer = async () => {
  const certificate = createCertificate();
  const requests: string[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(`HTTP/${request.httpVersion.slice(0, 1)} ${request.method} ${request.url}`);
      if (request.url.endsWith('/13')) return request.socket.destroy();
      const body = request.method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()) : {};
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ ...order(7), status: body.status ?? 'open' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, requests, ca: certificate.cert };
};

describe.each([
  ['HTTP/2', true],
  ['HTTP/1', false],
])('undiciFetch over TLS with %s', (version, allowH2) => {
  const start = async () => {
    const { url, requests, ca } = await startTlsServer();
    const dispatcher = new Agent({ allowH2, connect: { ca } });
    onTestFinished(() => dispatcher.destroy());
    return { requests, ...connect(url, { fetch: undiciFetch({ dispatcher }) }) };
  };

  test('sends and reads bodies', async () => {
    const { orders, requests } = await start();
    expect(await orders.create({ ...orderBody, status: 'shipped' })).toMatchObject({
      id: 7,
      status: 'shipped',
    });
    expect(await orders.get(7)).toMatchObject({ id: 7 });
    expect(requests).toEqual([`${version} POST /v1/orders`, `${version} GET /v1/orders/7`]);
  });

  test('a connection that is lost is one, and a DELETE may have arrived', async () => {
    const { orders, requests } = await start();
    await failureOf(orders.get(13), ConnectionError);
    await failureOf(orders.delete(13), AmbiguousOutcomeError);
    expect(requests).toEqual([`${version} GET /v1/orders/13`, `${version} DELETE /v1/orders/13`]);
  });

  test('a certificate that is not trusted is refused before anything is sent', async () => {
    const { url, requests } = await startTlsServer();
    const dispatcher = new Agent({ allowH2 });
    onTestFinished(() => dispatcher.destroy());
    const { orders } = connect(url, { fetch: undiciFetch({ dispatcher }) });
    expect(await failureOf(orders.create(orderBody), ConnectionError)).toMatchObject({ sent: false });
    expect(requests).toEqual([]);
  });
});
