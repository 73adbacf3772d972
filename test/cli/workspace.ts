import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** A user's folder: API files, and a copy of the library that is not the one of the command. */
export interface Workspace {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes a folder with the API of most tests as `api.ts`. */
export const createWorkspace = async (): Promise<Workspace> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-cli-'));
  const path = (name: string): string => join(folder, name);
  const modules = path('node_modules');
  await mkdir(modules);
  // Source again: types are taken away outside of node_modules, which a link's target is.
  await cp(join(project, 'src'), path('copy/src'), { recursive: true });
  await writeFile(path('copy/package.json'), '{"name":"restkin","type":"module","exports":"./src/index.ts"}');
  await symlink(path('copy'), join(modules, 'restkin'));
  for (const name of ['zod', 'p-retry', 'jose']) {
    await symlink(join(project, 'node_modules', name), join(modules, name));
  }
  await writeFile(path('package.json'), '{"type":"module"}');
  await cp(join(project, 'test/support/ordering.ts'), path('api.ts'));
  return {
    folder,
    write: (name, text) => writeFile(path(name), text),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
