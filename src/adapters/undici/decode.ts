import { pipeline, type Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export const ignore = (): void => undefined;

// As the built-in `fetch`: a body without its end, such as the trailer of gzip, is what came of it.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
const flush = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const brotliFlush = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };

/**
 * In the first byte of a body of `deflate`. Some servers send it without the header that this belongs to
 * (RFC 9110 §8.4.1.2).
 */
const hasZlibHeader = (first = 0): boolean => (first & 0x0f) === 8;

const createInflateEither = (): Transform => {
  let decoder: Transform | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      decoder ??= (hasZlibHeader(chunk[0]) ? createInflate(flush) : createInflateRaw(flush))
        .on('data', (piece) => this.push(piece))
        // Also before the end of the body: more may stand behind what was encoded.
        .on('end', () => this.push(null))
        .on('error', (error) => this.destroy(error));
      decoder.write(chunk, () => done());
    },
    final(done) {
      if (decoder === undefined) this.push(null);
      else decoder.end();
      done();
    },
    destroy(error, done) {
      decoder?.destroy();
      done(error);
    },
  });
};

const createGunzipper = (): Transform => createGunzip(flush);

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzipper],
  ['x-gzip', createGunzipper],
  ['deflate', createInflateEither],
  ['br', () => createBrotliDecompress(brotliFlush)],
]);

const mostCodings = 5;

/**
 * Decodes a body (RFC 9110 §8.4): the last coding was applied last. With an unknown coding it stays as it
 * came.
 */
export const decode = (body: Readable, field: string): Readable => {
  const codings = field.toLowerCase().split(/[ \t]*,[ \t]*/);
  const known = codings.flatMap((coding) => decoders.get(coding) ?? []);
  if (codings.length > mostCodings || known.length < codings.length) return body;
  return known.reduceRight<Readable>(
    // The reader of the last stream gets the failure. That of a body that nobody reads would end the process.
    (coded, createDecoder) => pipeline(coded, createDecoder(), ignore).on('error', ignore),
    body,
  );
};
