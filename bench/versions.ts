import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { cpus, loadavg } from 'node:os';

const packages = [
  'undici',
  'zod',
  'ky',
  'p-retry',
  'axios',
  'ofetch',
  'openapi-fetch',
  '@octokit/core',
  '@octokit/plugin-paginate-rest',
  'esbuild',
];

const versionOf = async (name: string): Promise<string> => {
  const file = findPackageJSON(name, import.meta.url);
  if (file === undefined) throw new Error(`${name} is not installed: npm ci --prefix bench`);
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return `${name} ${version}`;
};

/** True when other processes take a good part of the machine: times are theirs as well then, CPU less so. */
export const isBusy = (): boolean => (loadavg()[0] ?? 0) > cpus().length / 4;

/** What was measured, and on what: no name of a machine and no path. */
export const describeRun = async (): Promise<string> => {
  const [{ model } = { model: 'unknown' }] = cpus();
  const versions = await Promise.all(packages.map(versionOf));
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node} (its fetch is undici ${process.versions.undici}),`,
    `${cpus().length} cores of ${model.trim()}, ${process.platform} ${process.arch}.`,
    `Load average before the run: ${(loadavg()[0] ?? 0).toFixed(1)}.`,
    `Versions: ${versions.join(', ')}.`,
  ].join(' ');
};
