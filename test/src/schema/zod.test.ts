import { resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { decodes } from '../../../src/schema/zod.ts';

const Tree = z.object({
  name: z.string(),
  get below() {
    return z.array(Tree);
  },
});

describe('decodes', () => {
  test.each([
    ['a codec', z.codec(z.string(), z.number(), { decode: Number, encode: String })],
    ['a transform', z.string().transform(Number)],
    ['a default', z.string().default('')],
    ['a fallback', z.string().catch('')],
    ['coercion', z.coerce.number()],
    ['trimming', z.string().trim()],
  ])('is true for %s, at any depth', (_what, schema) => {
    expect(decodes(schema)).toBe(true);
    expect(decodes(resource({ lines: z.array(z.object({ field: z.optional(schema) })) }))).toBe(true);
    expect(decodes(z.lazy(() => schema))).toBe(true);
    expect(decodes(z.record(z.string(), z.union([z.null(), schema])))).toBe(true);
  });

  test('is false for a schema that returns what it is given', () => {
    expect(decodes(resource({ name: z.string().min(1), at: z.nullable(z.iso.datetime()) }))).toBe(false);
    expect(decodes(Tree)).toBe(false);
  });
});
