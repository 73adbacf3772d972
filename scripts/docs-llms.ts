// Writes llms.txt for readers that take one text: a list of contents, then the README and its guides in full.
import { readFile, writeFile } from 'node:fs/promises';

const project = new URL('../', import.meta.url);
const target = new URL('llms.txt', project);

const read = (path: string): Promise<string> => readFile(new URL(path, project), 'utf8');

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** The first paragraph below the title. */
const summaryOf = (text: string): string => (text.split(/\n{2,}/)[1] ?? '').replace(/\n/g, ' ');

const block = /(^```[\s\S]*?^```$)/m;

/** A document below its path, its headings one level down. A comment of a shell looks like a heading. */
const toSection = (path: string, text: string): string => {
  const body = text
    .replace(/^# .+\n+/, '')
    .split(block)
    .map((part) => (block.test(part) ? part : part.replace(/^(#+) /gm, '#$1 ')));
  return `## ${path}\n\n${body.join('').trim()}\n`;
};

/** The guides, in the order in which the README names them. */
const guidesIn = (readme: string): readonly string[] => [
  ...new Set(Array.from(readme.matchAll(/\]\((docs\/[\w-]+\.md)/g), ([, path = '']) => path)),
];

/** The text of llms.txt. */
const makeLlmsText = async (): Promise<string> => {
  const readme = await read('README.md');
  const texts = await Promise.all(guidesIn(readme).map(async (path) => [path, await read(path)] as const));
  const links = texts.map(([path, text]) => `- [${titleOf(text)}](${path})`);
  const parts = [
    `# ${titleOf(readme)}\n`,
    `> ${summaryOf(readme)}\n`,
    `## Documents\n\n- [README](README.md)\n${links.join('\n')}\n`,
    toSection('README.md', readme),
    ...texts.map(([path, text]) => toSection(path, text)),
  ];
  return parts.join('\n');
};

await writeFile(target, await makeLlmsText());
