import fc from 'fast-check';
import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { parseLink } from '../../../src/headers/paging.ts';

// A second reader of RFC 8288: where both accept a field, they must agree on its relations.

const target = fc.stringMatching(/^[a-z0-9/?=&.:,;-]{1,20}$/);
const relation = fc.constantFrom('next', 'prev', 'first', 'last', 'next last', 'NEXT', 'up');
const title = fc.stringMatching(/^[a-z ,;=<>]{0,8}$/);
const link = fc
  .record({
    target,
    relation,
    quoted: fc.boolean(),
    title: fc.option(title, { nil: undefined }),
    space: fc.constantFrom('', ' '),
  })
  .map(({ target, relation, quoted, title, space }) => {
    const rel = quoted || relation.includes(' ') ? `"${relation}"` : relation;
    return `<${target}>${space};${space}rel=${rel}${title === undefined ? '' : `; title="${title}"`}`;
  });

/** What the other reader finds: the first target of each relation, in lower case. */
const byOracle = (field: string): Map<string, string> | undefined => {
  try {
    const links = new Map<string, string>();
    for (const { uri, rel } of LinkHeader.parse(field).refs) {
      for (const name of rel.toLowerCase().split(' ')) if (!links.has(name)) links.set(name, uri);
    }
    return links;
  } catch {
    return undefined;
  }
};

test('http-link-header finds the same relations', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(link, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(', ', ','),
      (links, separator) => {
        const field = links.join(separator);
        const oracle = byOracle(field);
        const ours = parseLink(field);
        fc.pre(oracle !== undefined && ours !== undefined);
        compared++;
        expect(ours).toEqual(oracle);
      },
    ),
  );
  expect(compared).toBeGreaterThan(50);
});
