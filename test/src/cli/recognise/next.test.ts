import { expect, test } from 'vitest';
import { otherOriginOf } from '../../../../src/cli/recognise/next.ts';

test.each([
  ['https://api.test/posts', 'http://api.test/posts?page=2', undefined],
  ['https://api.test/posts', 'http://api.test:8080/posts?page=2', 'http://api.test:8080'],
  ['http://api.test/posts', 'https://api.test/posts?page=2', 'https://api.test'],
  ['http://api.test/posts', '/posts?page=2', undefined],
])('of a list at %s, the next link %s leads to the other origin %s', (list, link, origin) => {
  const headers = new Headers({ link: `<${link}>; rel="next"` });
  expect(otherOriginOf({ url: new URL(list), headers, body: [] })).toBe(origin);
});
