// Builds dist and llms.txt and packs them into .package/restkin.tgz, unless all are newer than everything that
// goes into them. The checks and tests of the package, and the runtimes, all use this one tarball.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, '.package');

/** The tarball of the last {@link packOnce}. */
export const tarball = join(folder, 'restkin.tgz');

const changedAt = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * What goes into the tarball beside folders: `files` of package.json, what npm always adds, and what the
 * build reads.
 */
const inputs = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'SKILL.md',
  'package-lock.json',
  'package.json',
  'scripts/bundled-licenses.ts',
  'scripts/docs-llms.ts',
  'tsconfig.json',
  'tsup.config.ts',
];

const lastChange = (): number => {
  const paths = ['src', 'mocks', 'docs'].flatMap((name) => [
    name,
    ...readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  ]);
  return Math.max(...[...paths, ...inputs].filter((path) => !path.startsWith('docs/api')).map(changedAt));
};

/** Makes `dist`, `llms.txt` and {@link tarball}, if they are out of date. */
export const packOnce = (): void => {
  if (changedAt('.package/restkin.tgz') > lastChange() && changedAt('dist/index.d.ts') > 0) return;
  // An error has what was written to stderr. Otherwise the build only warns of types that no entry exports,
  // which nobody names.
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  mkdirSync(folder, { recursive: true });
  run('npx', 'tsup', '--silent');
  run('node', 'scripts/docs-llms.ts');
  const name = run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder).trim();
  renameSync(join(folder, name), tarball);
};

if (import.meta.main) packOnce();
