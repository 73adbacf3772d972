import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';

/** Undoes one content coding. */
export interface Coding {
  /** Decodes as it arrives. */
  readonly stream: () => Duplex;
  /** Decodes what is small at once, which costs less; throws when the result is larger than `most`. */
  readonly atOnce?: (bytes: Uint8Array, most: number) => Buffer;
}

/** More codings one on the other than this are an attack. */
const mostCodings = 5;

// Less strict than the defaults, as browsers, curl and the built-in fetch are.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const lenientBrotli = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };

/** Some servers send `deflate` without the wrapper that RFC 9110 §8.4.1.2 asks for. */
const isWrapped = (first = 0): boolean => (first & 0x0f) === 0x08;

/** The decoder of `deflate`, which is chosen by the first byte. */
class Inflate extends Transform {
  #decoder: zlib.Inflate | zlib.InflateRaw | undefined;

  #choose(first: number | undefined): zlib.Inflate | zlib.InflateRaw {
    const decoder = isWrapped(first) ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
    decoder.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) decoder.pause();
    });
    return decoder.on('error', (error) => this.destroy(error));
  }

  override _read(size: number): void {
    this.#decoder?.resume();
    super._read(size);
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.#decoder ??= this.#choose(chunk[0]);
    this.#decoder.write(chunk, encoding, () => callback());
  }

  override _flush(callback: TransformCallback): void {
    if (this.#decoder === undefined) callback();
    else this.#decoder.once('end', () => callback()).end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#decoder?.destroy();
    callback(error);
  }
}

const gzip: Coding = {
  stream: () => zlib.createGunzip(lenient),
  atOnce: (bytes, most) => zlib.gunzipSync(bytes, { ...lenient, maxOutputLength: most }),
};

const codings: Readonly<Record<string, Coding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    stream: () => new Inflate(),
    atOnce: (bytes, most) => {
      const decode = isWrapped(bytes[0]) ? zlib.inflateSync : zlib.inflateRawSync;
      return decode(bytes, { ...lenient, maxOutputLength: most });
    },
  },
  br: {
    stream: () => zlib.createBrotliDecompress(lenientBrotli),
    atOnce: (bytes, most) => zlib.brotliDecompressSync(bytes, { ...lenientBrotli, maxOutputLength: most }),
  },
  // Node has it from 22.15 on.
  ...('createZstdDecompress' in zlib ? { zstd: { stream: () => zlib.createZstdDecompress() } } : {}),
};

/**
 * The codings to undo, the last one that was applied first. With one that is unknown none is undone, as the built-in
 * fetch has it.
 *
 * @throws Error when there are too many
 */
export const parseCodings = (contentEncoding: string | null): readonly Coding[] => {
  if (contentEncoding === null || contentEncoding === '') return [];
  const names = contentEncoding.toLowerCase().split(',');
  if (names.length > mostCodings) throw new Error('The answer has too many content codings');
  const known = names.flatMap((name) => {
    const key = name.trim();
    const coding = Object.hasOwn(codings, key) ? codings[key] : undefined;
    return coding ?? [];
  });
  return known.length === names.length ? known.toReversed() : [];
};
