import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { doors } from '../support/conformance-doors.ts';
import { ordering } from '../support/ordering.ts';

// Each response over HTTP in the tests of the conventions is compared with the OpenAPI document of its API.
test.each([
  ['a body of another shape', () => Response.json([{ id: 'seven' }]), /must have required property 'self'/],
  [
    'a status that it does not have',
    () => Response.json({ message: 'Gone' }, { status: 410 }),
    /410 is not documented/,
  ],
])('a response with %s is found by the document of the API', async (_, respond, reason) => {
  const door = doors.find(({ name }) => name === 'HTTP')?.open(ordering);
  const place = await door?.place((where) => ({
    ...createMock(ordering, where),
    respond: () => Promise.resolve(respond()),
  }));
  await fetch(`${place?.url}/v1/orders`);
  await expect(door?.[Symbol.asyncDispose]()).rejects.toThrow(reason);
});
