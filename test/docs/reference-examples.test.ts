import { expect, test } from 'vitest';
import { namesWithoutExample, type Reflection } from '../../scripts/reference-examples.ts';

const example = { tag: '@example', content: [] };
const linkTo = (target: number) => ({ summary: [{ kind: 'inline-tag', target }] });

const mocks: Reflection = {
  id: 1,
  name: 'restkin/mocks',
  children: [
    {
      id: 2,
      name: 'createMock',
      signatures: [{ id: 3, name: 'createMock', comment: { blockTags: [example] } }],
    },
    { id: 4, name: 'MockFaults', children: [{ id: 5, name: 'next', comment: { blockTags: [example] } }] },
    { id: 6, name: 'Mock', comment: linkTo(2) },
    { id: 7, name: 'Fault', comment: linkTo(5) },
    { id: 8, name: 'Outage', comment: linkTo(6) },
    { id: 9, name: 'Apis', comment: { summary: [{ kind: 'text' }] } },
  ],
};

test('a public name needs an example, or a link to a name or a member that has one', () => {
  expect(namesWithoutExample([mocks])).toEqual(['restkin/mocks: Outage', 'restkin/mocks: Apis']);
});
