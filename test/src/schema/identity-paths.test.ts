import { expandable, resource } from 'restkin';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { withIdentityPaths } from '../../../src/schema/identity-paths.ts';

const Company = resource({ name: z.string(), seat: z.object({ city: z.string() }) });
const Order = resource({ device: z.object({ model: z.string() }), company: expandable(Company) });

test.each([
  [['device.model'], ['id', 'self', 'device.model']],
  [['company.name'], ['id', 'self', 'company.id', 'company.self', 'company.name']],
  [['company.seat.city'], ['id', 'self', 'company.id', 'company.self', 'company.seat.city']],
  [
    ['device', 'company'],
    ['id', 'self', 'device', 'company'],
  ],
])(
  '`fields` names the identity of each resource that a path leads through, and of no other object: %j',
  (given, expected) => {
    expect(withIdentityPaths(Order, given, ['id', 'self'])).toEqual(expected);
  },
);
