import { expect, test } from 'vitest';
import { makeLlmsText } from '../../scripts/docs-llms.ts';
import { makePicture, withFigures } from '../../scripts/docs-performance.ts';
import { readDocument } from '../package/docs-blocks.ts';

test('llms.txt is what the documents say now; node scripts/docs-llms.ts writes it', async () => {
  expect(await readDocument('llms.txt')).toBe(await makeLlmsText());
});

test('the guide to performance has the figures of the bench; node scripts/docs-performance.ts writes them', async () => {
  const results = await readDocument('bench/RESULTS.md');
  const guide = await readDocument('docs/performance.md');
  expect(guide).toContain('| GET, 50 requests in flight |');
  expect(guide).toBe(withFigures(guide, results));
  expect(await readDocument('docs/performance.svg')).toBe(makePicture(results));
});
