import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));

/** Installs what an example needs that the project does not have. */
export const installExample = (name: string) =>
  run('npm', ['ci', '--prefix', `examples/${name}`, '--no-audit', '--no-fund'], { cwd: project });

/** What the compiler says of an example: nothing, when all is well. */
export const compileExample = (name: string): Promise<string> =>
  run(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', `examples/${name}`], {
    cwd: project,
  }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
