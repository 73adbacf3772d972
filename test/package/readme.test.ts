import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { packOnce, tarball } from '../../scripts/package.ts';
import { blocksOf, codeOf, readDocument } from './docs-blocks.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));
const readme = await readDocument('README.md');
const first = blocksOf(readme).find(({ file }) => file === 'first.mts');

/** A package that is installed here, in place of its name: the test needs no network. */
const installed = (name: string): string => join(project, 'node_modules', name);

describe('README', () => {
  test('in an empty folder, its install lines and its first example print what it says, and its blocks compile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'restkin-first-'));
    try {
      packOnce();
      await copyFile(tarball, join(folder, 'restkin.tgz'));
      const [install = ''] = codeOf(readme, 'sh');
      const lines = install.trim().split('\n');
      expect(lines.every((line) => line.startsWith('npm install '))).toBe(true);
      for (const line of lines) {
        const names = line.split(' ').slice(2);
        // The dependencies of the package come from here, too.
        const places = names.flatMap((name) =>
          name === 'restkin'
            ? ['./restkin.tgz', installed('jose'), installed('p-retry')]
            : [name.startsWith('-') ? name : installed(name)],
        );
        const install = ['install', '--offline', '--no-audit', '--no-fund', ...places];
        await run('npm', install, { cwd: folder });
      }
      const { file = '', code = '' } = first ?? {};
      await writeFile(join(folder, file), code);
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
      expect(stderr).toBe('');
      expect(stdout).toBe(codeOf(readme, 'text')[0]);

      const [, setType = ''] = /`npm (pkg set [^`]+)`/.exec(readme) ?? [];
      await run('npm', setType.split(' '), { cwd: folder });
      const types = [installed('@types/node'), installed('undici-types'), installed('msw')];
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...types], { cwd: folder });
      await writeFile(join(folder, 'tsconfig.json'), codeOf(readme, 'json')[0] ?? '');
      for (const block of blocksOf(readme)) await writeFile(join(folder, block.file), block.code);
      const tsc = join(installed('typescript-7'), 'bin/tsc');
      const output = run(process.execPath, [tsc, '--noEmit'], { cwd: folder });
      expect(await output.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
