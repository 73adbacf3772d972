// Makes a release ready: checks it, packs it, and writes beside the tarball what is in it and its digest. It
// publishes nothing. `npm run release`
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tarball } from './package.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'dist-release');

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const step = (name: string, work: () => void): void => {
  console.log(`== ${name}`);
  work();
};

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

step('the work tree is clean', () => {
  if (run('git', 'status', '--porcelain') !== '') throw new Error('There are changes that are not committed');
});
step(`the change log has ${version}`, () => {
  const log = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (!log.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has no section for ${version}`);
});
step('checks and tests', () => {
  for (const name of ['test', 'test:rest', 'test:full'])
    execFileSync('npm', ['run', name], { cwd: root, stdio: 'inherit' });
});
step('the package that was tested', () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync(tarball, join(folder, `restkin-${version}.tgz`));
});
step('bill of materials (CycloneDX) and digests', () => {
  const bill = run('npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=library');
  writeFileSync(join(folder, `restkin-${version}.cdx.json`), bill);
  const digests = readdirSync(folder).map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), `${digests.join('\n')}\n`);
  console.log(digests.join('\n'));
});
console.log(`Ready in dist-release: npm publish dist-release/restkin-${version}.tgz --provenance`);
