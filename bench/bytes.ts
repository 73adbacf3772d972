import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { here, restkinFrom } from './build.ts';
import { formatTarget, type Table } from './report.ts';

// undici and the default transport of axios are of Node; the others are measured as a browser loads them.
const platforms: Readonly<Record<string, 'node' | 'browser'>> = {
  'undici-request': 'node',
  'restkin-undici': 'node',
  axios: 'node',
};
const targets: Readonly<Record<string, number>> = { 'restkin-mini': 34 };

const bundle = async (file: string, dist: string, platform: 'node' | 'browser'): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    platform,
    logLevel: 'error',
    plugins: [restkinFrom(dist, false)],
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
};

/** Sizes of a program that logs in, gets a resource and reads a list, with all that it brings. */
export const compareBytes = async (peers: readonly string[], dist: string): Promise<Table> => {
  const rows: string[][] = [];
  for (const peer of peers) {
    const code = await bundle(join(here, 'peers', `${peer}.ts`), dist, platforms[peer] ?? 'browser');
    const kilobytes = [code, gzipSync(code, { level: 9 }), brotliCompressSync(code)].map(
      ({ length }) => length / 1024,
    );
    const target = formatTarget(targets[peer], kilobytes[1] ?? 0);
    rows.push([peer, ...kilobytes.map((size) => size.toFixed(1)), target]);
  }
  return {
    heading: 'Bytes: login, get and iterate, bundled and minified by esbuild, everything included, in KB',
    columns: ['', 'minified', 'gzip', 'brotli', 'target (gzip)'],
    rows,
  };
};
