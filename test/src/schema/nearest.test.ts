import { expandable, type Resource, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checkNames } from '../../../src/schema/field-paths.ts';
import { nearestName } from '../../../src/schema/nearest.ts';
import { Company, Order } from '../../support/ordering.ts';

test.each([
  ['craetedAt', 'createdAt'],
  ['Status', 'status'],
  ['devices', 'device'],
  ['nope', undefined],
  ['x'.repeat(10_000), undefined],
])('%s probably means %s', (name, meant) => {
  expect(nearestName(name, ['id', 'status', 'createdAt', 'device', 'company'])).toBe(meant);
});

describe('a query with a name that is nearly right', () => {
  test('names the right one, with its sign', () => {
    expect(checkNames(Order, 'sort', ['-craetedAt'])).toBe(
      '`sort` names the unknown field "-craetedAt"; did you mean "-createdAt"?',
    );
  });

  test('names the right one below an object', () => {
    expect(checkNames(Order, 'fields', ['device.modle'])).toContain('did you mean "device.model"?');
  });

  test('lists the fields where none is near', () => {
    expect(checkNames(Order, 'sort', ['other'])).toContain('; the resource has id, self, status');
  });
});

describe('a wrong `expand`', () => {
  test.each([
    ['nope', '`expand` names the unknown field "nope"; it takes company'],
    ['status', '`expand` names a field that is not expandable(): "status"; it takes company'],
  ])('lists what can be expanded: %s', (name, message) => {
    expect(checkNames(Order, 'expand', [name])).toBe(message);
    expect(checkNames(Order, 'expand', [name], ['company'])).toBe(message);
  });

  test('lists what can be expanded below another resource, to a depth of three', () => {
    const Person: Resource = resource({
      name: z.string(),
      get boss(): z.core.$ZodType {
        return z.optional(expandable(Person));
      },
    });
    const Firm = resource({ owner: expandable(Person), address: z.object({ country: expandable(Company) }) });
    expect(checkNames(resource({ firms: z.array(expandable(Firm)) }), 'expand', ['nope'])).toBe(
      '`expand` names the unknown field "nope"; it takes firms, firms.owner, firms.owner.boss, firms.address.country',
    );
  });

  test('lists no more than twenty', () => {
    const fields = Array.from({ length: 21 }, (_, index) => [`f${index}`, expandable(Company)]);
    const message = checkNames(resource(Object.fromEntries(fields)), 'expand', ['nope']);
    expect(message).toContain(' f19');
    expect(message).not.toContain(' f20');
  });

  test('lists nothing where nothing can be', () => {
    expect(checkNames(Company, 'expand', ['name'])).toBe(
      '`expand` names a field that is not expandable(): "name"',
    );
  });
});

test('of two names that are as near the first one is meant, and a nearer one after it', () => {
  expect(nearestName('citi', ['cito', 'city'])).toBe('cito');
  expect(nearestName('devise', ['devised2', 'device'])).toBe('device');
});
