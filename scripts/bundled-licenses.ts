import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** The folders of the packages that an output contains. */
const packagesOf = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])),
];

const licenseOf = async (folder: string): Promise<string> => {
  const name = folder.replace(/^.*node_modules\//, '');
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled and has no license file`);
  return `${name}\n\n${(await readFile(`${folder}/${file}`, 'utf8')).trim()}\n`;
};

/** Writes the licenses of all bundled packages into one file: theirs is the condition for a copy. */
export const bundledLicenses = (file: string): Plugin => ({
  name: 'bundled-licenses',
  setup: ({ initialOptions, onEnd }) => {
    initialOptions.metafile = true;
    onEnd(async ({ metafile }) => {
      const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.keys(output.inputs));
      const licenses = await Promise.all(packagesOf(inputs).toSorted().map(licenseOf));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, licenses.join(`\n${'-'.repeat(80)}\n\n`));
    });
  },
});
