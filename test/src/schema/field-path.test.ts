import { expandable, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { checkNames, schemaAt } from '../../../src/schema/resource.ts';
import { Company, Order } from '../../support/ordering.ts';

const Wrapped = resource({
  maybe: z.optional(z.nullable(expandable(Company))),
  many: z.readonly(z.array(expandable(Company))),
  small: mini.optional(
    mini.object({ inner: mini._default(mini.object({ leaf: mini.string() }), { leaf: '' }) }),
  ),
});

describe('schemaAt', () => {
  test.each(['id', 'self', 'status', 'note', 'device', 'device.model', 'lines', 'lines.sku', 'lines.id'])(
    'an order has %s',
    (path) => {
      expect(schemaAt(Order, path)).toBeDefined();
    },
  );
  test.each(['company', 'company.id', 'company.name'])(
    'an expandable resource is looked into: %s',
    (path) => {
      expect(schemaAt(Order, path)).toBeDefined();
    },
  );
  test.each([
    '',
    '.',
    'device.',
    '.device',
    'device..model',
    'model',
    'status.length',
    'lines.0',
    'lines.length',
  ])('an order has no %j', (path) => {
    expect(schemaAt(Order, path)).toBeUndefined();
  });
  test.each(['maybe.city', 'many.name', 'small.inner.leaf'])(
    'wrappers and arrays do not count: %s',
    (path) => {
      expect(schemaAt(Wrapped, path)).toBeDefined();
    },
  );
});

describe('checkNames', () => {
  const expand = (...names: string[]) => checkNames(Wrapped, 'expand', names);

  test('expand names what is expandable, inside of wrappers and arrays', () => {
    expect(expand('maybe', 'many')).toBeUndefined();
    for (const path of ['small', 'maybe.name', 'id']) expect(expand(path)).toContain('not expandable()');
    for (const path of ['nope', '']) expect(expand('maybe', path)).toContain('unknown field');
  });
});
