import { describe, expect, test } from 'vitest';
import writeGood from 'write-good';
import { readDocument, readGuides } from '../package/docs-blocks.ts';

// write-good finds the passive voice, wordy phrases and clichés. It reads sentences, so code, links and tables are removed first.

const plain = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\*\*|<[^>]+>|\(§[^)]*\)|§[\d.]+/g, '');

/** The sentences of a page, those of its lists and of the cells of its tables too; shorter phrases are left out. */
const sentencesOf = (markdown: string): readonly string[] =>
  markdown
    .replace(/^```[\s\S]*?^```$|^#.*$|^\|[-| :]+\|$/gm, '\n')
    .split(/\n\s*\n|\n(?=\s*- |\s*\d+\. |\|)/)
    .flatMap((part) =>
      part.trim().startsWith('|') ? part.split(/(?<!\\)\|/) : [part.replace(/^\s*(-|\d+\.)\s/, '')],
    )
    .flatMap((part) =>
      plain(part)
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?:;])\s+(?=[A-Z(]|code|restkin)/),
    )
    .filter((sentence) => sentence.split(' ').length >= 4)
    .map((sentence) => sentence.replace(/[.:;,]?$/, '.'));

const lengthOf = (sentence: string): number => sentence.split(' ').length;
const checks = { weasel: false, adverb: false, thereIs: false, so: false, illusion: false };

/** Findings of write-good for each 100 sentences, the mean length of a sentence, and the sentences that are too long. */
const measure = (markdown: string) => {
  const sentences = sentencesOf(markdown);
  const words = sentences.reduce((sum, sentence) => sum + lengthOf(sentence), 0);
  return {
    findings: (100 * writeGood(sentences.join(' '), checks).length) / sentences.length,
    meanLength: words / sentences.length,
    tooLong: sentences.filter((sentence) => lengthOf(sentence) > 32),
  };
};

// Decisions are for those who change restkin.
const pages = [['README.md', await readDocument('README.md')], ...(await readGuides())].filter(
  ([name]) => name !== 'decisions.md',
);

describe('readability', () => {
  test.each(pages)('%s has short sentences, mostly in the active voice', (_name, markdown = '') => {
    const { findings, meanLength, tooLong } = measure(markdown);
    expect(tooLong).toEqual([]);
    expect(meanLength).toBeLessThanOrEqual(13);
    expect(findings).toBeLessThanOrEqual(30);
  });

  test('a long sentence, a passive and a wordy phrase are found', () => {
    const long = `The client ${'really '.repeat(30)}works.`;
    const { findings, meanLength, tooLong } = measure(
      `${long}\n\nThe token is refused by the server.\n\nIn order to log in, utilize the password.`,
    );
    expect(tooLong).toHaveLength(1);
    expect(meanLength).toBeGreaterThan(13);
    expect(findings).toBeGreaterThan(50);
  });
});
