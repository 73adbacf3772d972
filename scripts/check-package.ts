// publint and attw look at the tarball that npm would publish.
import { execFileSync } from 'node:child_process';
import { packOnce, tarball } from './package.ts';

const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
};

packOnce();
run('publint', 'run', tarball, '--strict');
run('attw', tarball, '--quiet', '--profile', 'esm-only');
