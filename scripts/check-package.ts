// Packs the build once, and has publint and attw look at the tarball, as npm would publish it. Each of them would pack, and
// so build, by itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'restkin-packed-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
};

run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
const [name = ''] = readdirSync(folder);
const tarball = join(folder, name);
run('publint', 'run', tarball, '--strict');
run('attw', tarball, '--quiet', '--profile', 'esm-only');
