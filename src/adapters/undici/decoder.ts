import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';

/** The decoder of one content coding. */
export interface Coding {
  /** Decodes as it arrives. */
  readonly stream: () => Duplex;
  /** Decodes a small body synchronously, which costs less; throws when the result is larger than `most`. */
  readonly atOnce?: (bytes: Uint8Array, most: number) => Buffer<ArrayBuffer>;
}

/** More nested codings than this are an attack. */
const mostCodings = 5;

// Each chunk is decoded as soon as it arrives. A truncated body is an error, as it is without a coding; the built-in fetch
// accepts it as complete.
const atOnce = { flush: zlib.constants.Z_SYNC_FLUSH };
const brotliAtOnce = { flush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** A decoder that accepts an empty body, because servers also name a coding for one. */
const orEmpty = <D extends Transform & { readonly bytesWritten: number }>(decoder: D): D => {
  const flush = decoder._flush.bind(decoder);
  decoder._flush = (callback) => (decoder.bytesWritten === 0 ? callback() : flush(callback));
  return decoder;
};

/** Some servers send `deflate` without the wrapper that RFC 9110 §8.4.1.2 asks for. */
const isWrapped = (first = 0): boolean => (first & 0x0f) === 0x08;

/** The decoder of `deflate`, which is chosen by the first byte. */
class Inflate extends Transform {
  #decoder: zlib.Inflate | zlib.InflateRaw | undefined;

  #choose(first: number | undefined): zlib.Inflate | zlib.InflateRaw {
    const decoder = isWrapped(first) ? zlib.createInflate(atOnce) : zlib.createInflateRaw(atOnce);
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
    // Bytes after the end of the compressed data may already have ended the decoder.
    if (this.#decoder === undefined || this.#decoder.readableEnded) callback();
    else this.#decoder.once('end', () => callback()).end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#decoder?.destroy();
    callback(error);
  }
}

const gzip: Coding = {
  stream: () => orEmpty(zlib.createGunzip(atOnce)),
  atOnce: (bytes, most) => zlib.gunzipSync(bytes, { maxOutputLength: most }),
};

const codings: Readonly<Record<string, Coding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    stream: () => new Inflate(),
    atOnce: (bytes, most) => {
      const decode = isWrapped(bytes[0]) ? zlib.inflateSync : zlib.inflateRawSync;
      return decode(bytes, { maxOutputLength: most });
    },
  },
  br: {
    stream: () => orEmpty(zlib.createBrotliDecompress(brotliAtOnce)),
    atOnce: (bytes, most) => zlib.brotliDecompressSync(bytes, { maxOutputLength: most }),
  },
  // Node has zstd from 22.15 on.
  ...('createZstdDecompress' in zlib ? { zstd: { stream: () => orEmpty(zlib.createZstdDecompress()) } } : {}),
};

/**
 * The codings of a body, the last one that was applied first. One unknown coding makes the list empty, as in the built-in
 * fetch.
 *
 * @throws Error when there are too many
 */
export const parseCodings = (contentEncoding: string | null): readonly Coding[] => {
  if (contentEncoding === null || contentEncoding === '') return [];
  const names = contentEncoding.toLowerCase().split(',');
  if (names.length > mostCodings) throw new Error('The response has too many content codings');
  const known = names.flatMap((name) => {
    const key = name.trim();
    const coding = Object.hasOwn(codings, key) ? codings[key] : undefined;
    return coding ?? [];
  });
  return known.length === names.length ? known.toReversed() : [];
};
