import { expect, test } from 'vitest';
import { makeLlmsText } from '../../scripts/docs-llms.ts';
import { readDocument } from './docs-blocks.ts';

test('llms.txt is what the documents say now; node scripts/docs-llms.ts writes it', async () => {
  expect(await readDocument('llms.txt')).toBe(await makeLlmsText());
});
