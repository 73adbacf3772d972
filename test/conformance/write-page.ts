import { writeFile } from 'node:fs/promises';
import { listTests } from './collect.ts';
import { formatPage } from './page.ts';
import { rules } from './rules.ts';

// Writes docs/conformance.md, a page of the reference, from the titles of the tests of the conventions.
await writeFile(new URL('../../docs/conformance.md', import.meta.url), formatPage(rules, await listTests()));
