import { collection, defineApi, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { storePathOf } from '../../src/cli/arguments.ts';
import { readParams, resolvePath } from '../../src/cli/target.ts';
import { createSurroundings } from './surroundings.ts';

const Thing = resource({ name: z.string() });
const things = collection('things', Thing, {
  params: z.object({
    text: z.optional(z.string()),
    count: z.optional(z.int()),
    whole: z.optional(z.bigint()),
    open: z.optional(z.boolean()),
    since: z.optional(z.date()),
    names: z.optional(z.array(z.string())),
    numbers: z.optional(z.array(z.number())),
  }),
});
const api = defineApi({
  name: 'things',
  version: 1,
  auth: 'token',
  collections: {
    byId: collection('things/:thingId/parts', Thing),
    things,
    archive: collection('things/archive', Thing),
  },
});

describe('--param', () => {
  test.for<readonly [readonly string[], Readonly<Record<string, unknown>>]>([
    [['text=5'], { text: '5' }],
    [['text=a=b'], { text: 'a=b' }],
    [['text='], { text: '' }],
    [['count=-5'], { count: -5 }],
    [['whole=9007199254740993'], { whole: 9007199254740993n }],
    [['open=false'], { open: false }],
    [['since=2026-01-02'], { since: new Date('2026-01-02') }],
    [['names=a,b'], { names: ['a', 'b'] }],
    [['names=1', 'names=2'], { names: ['1', '2'] }],
    [['numbers=1,2', 'text=x'], { numbers: [1, 2], text: 'x' }],
    [['numbers=1', 'numbers=2'], { numbers: [1, 2] }],
  ])('%j is what the schema wants', async ([given, values]) => {
    expect(await readParams(things, given)).toEqual(values);
  });

  test.for([['text'], ['=5']])('%s is refused', async (given) => {
    await expect(readParams(things, given)).rejects.toThrow(/^--param needs/);
  });
});

describe('a path', () => {
  test('resolves to a collection, to one of its resources, or to a collection below a resource', () => {
    expect(resolvePath(api, '/things/')).toMatchObject({ key: 'things', id: undefined });
    expect(resolvePath(api, 'things/7')).toMatchObject({ key: 'things', id: '7' });
    expect(resolvePath(api, 'things/7/parts/8')).toMatchObject({
      key: 'byId',
      id: '8',
      parameters: { thingId: '7' },
    });
  });

  test('is percent-decoded by segment, so that an id may have a slash', () => {
    expect(resolvePath(api, 'things/a%2Fb%20c')).toMatchObject({ key: 'things', id: 'a/b c' });
  });

  test('with the version is refused, with the advice to leave it out', () => {
    expect(() => resolvePath(api, 'v1/things')).toThrow('at this path; leave out v1. It has things');
  });

  test('with a literal segment resolves to it, and not to a resource with that id', () => {
    expect(resolvePath(api, 'things/archive')).toMatchObject({ key: 'archive', id: undefined });
  });
});

describe('the store of logins', () => {
  const pathFor = (env: Readonly<Record<string, string>>): string =>
    storePathOf({}, createSurroundings(env).io);

  test('is below XDG_STATE_HOME if that is an absolute path', () => {
    expect(pathFor({ XDG_STATE_HOME: '/state', HOME: '/home/ada' })).toBe('/state/restkin/tokens.db');
    expect(pathFor({ XDG_STATE_HOME: 'state', HOME: '/home/ada' })).toMatch(
      /^\/home\/ada\/.+\/restkin\/tokens\.db$/,
    );
  });
});
