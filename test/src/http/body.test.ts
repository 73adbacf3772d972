import { expect, test } from 'vitest';
import { readBody, tooLarge } from '../../../src/http/body.ts';
import fc from '../../support/random.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 16 }), { maxLength: 6 });

const streamOf = (parts: readonly Uint8Array<ArrayBufferLike>[], onCancel?: () => void) => {
  const left = [...parts];
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel: () => onCancel?.(),
  });
};

test('bytes arrive as they were sent, however they were cut', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (parts) => {
      const all = Buffer.concat(parts);
      const body = await readBody(new Response(streamOf(parts)), 'bytes', 1_000);
      expect(Buffer.from(body as Uint8Array)).toEqual(all);
    }),
  );
});

test('a string may be cut inside a character', async () => {
  const bytes = new TextEncoder().encode('😀é');
  const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await readBody(new Response(streamOf(parts)), 'text', 100)).toBe('😀é');
});

test('the limit is inclusive, with and without a length', async () => {
  const body = 'x'.repeat(10);
  const headers = { 'content-length': '10' };
  expect(await readBody(new Response(body), 'text', 10)).toBe(body);
  expect(await readBody(new Response(body, { headers }), 'text', 10)).toBe(body);
  expect(await readBody(new Response(body), 'text', 9)).toBe(tooLarge);
  expect(await readBody(new Response(body, { headers }), 'text', 9)).toBe(tooLarge);
});

test('the rest of a body that is too large is not read', async () => {
  let cancelled = false;
  const stream = streamOf([new Uint8Array(8), new Uint8Array(8), new Uint8Array(8)], () => {
    cancelled = true;
  });
  expect(await readBody(new Response(stream), 'bytes', 10)).toBe(tooLarge);
  expect(cancelled).toBe(true);
});

test.each([204, 304])('the length of a body that is not sent is no length in a %d', async (status) => {
  const response = new Response(null, { status, headers: { 'content-length': '1000000000000' } });
  expect(await readBody(response, 'text', 10)).toBe('');
});

test('a coding that a browser may hide does not lift the limit', async () => {
  const response = new Response('x'.repeat(100), { headers: { 'content-length': '5' } });
  Object.defineProperty(response, 'type', { value: 'cors' });
  expect(await readBody(response, 'text', 50)).toBe(tooLarge);
});
