import { expandable, InvalidRequestError, type Resource, resource } from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { encoderOf, parse, requireSynchronous } from '../../../src/schema/codec.ts';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const miniDate = mini.codec(mini.iso.datetime(), mini.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const at = new Date('2026-01-02T03:04:05.000Z');
const text = '2026-01-02T03:04:05.000Z';

describe('encoderOf', () => {
  test.each([
    ['zod', isoDate],
    ['zod/mini', miniDate],
  ])('encodes a codec of %s', (_name, codec) => {
    expect(encoderOf(resource({ at: codec }))({ at })).toEqual({ at: text });
  });

  test('leaves a promise as it is, so that it is refused: a copy would be an empty object', () => {
    const body = Promise.resolve({ at });
    expect(encoderOf(resource({ at: isoDate }))(body)).toBe(body);
  });

  test('encodes at every depth: objects, nested resources, arrays, optional and nullable fields', () => {
    const encode = encoderOf(
      resource({
        made: z.object({ at: isoDate, by: z.string() }),
        lines: z.array(resource({ at: isoDate })),
        maybe: z.optional(z.nullable(isoDate)),
        none: z.nullable(isoDate),
        log: z.record(z.string(), isoDate),
        either: z.union([z.number(), isoDate]),
      }),
    );
    const lists = (value: unknown) => ({
      lines: [{ at: value }, { id: 4, at: value }],
      log: { start: value },
    });
    const body = { made: { at, by: 'ada' }, none: null, either: at, ...lists(at) };
    const wire = { made: { at: text, by: 'ada' }, none: null, either: text, ...lists(text) };
    expect(encode(body)).toEqual(wire);
  });

  test('leaves the given body as it was, and what the declaration does not know', () => {
    const body = { at, made: { at }, further: at };
    expect(encoderOf(resource({ at: isoDate, made: z.object({ at: isoDate }) }))(body)).toEqual({
      at: text,
      made: { at: text },
      further: at,
    });
    expect(body).toEqual({ at, made: { at }, further: at });
  });

  test('a body without codecs is the very same value', () => {
    const body = { name: 'a' };
    expect(encoderOf(resource({ name: z.string() }))(body)).toBe(body);
  });

  test('what can only be decoded is sent as it is given', () => {
    const schema = resource({ length: z.string().transform((given) => given.length), at: isoDate });
    expect(encoderOf(schema)({ length: 'abc', at })).toEqual({ length: 'abc', at: text });
  });

  test('a nested resource that can be expanded goes by its id, with the codec of that', () => {
    const Key = z.codec(z.string(), z.number(), { decode: Number, encode: String });
    const schema = resource({
      owner: expandable(resource({ id: Key })),
      friend: expandable(resource({ at: isoDate })),
    });
    const body = { owner: { id: 3 }, friend: { id: 4 } };
    expect(encoderOf(schema)(body)).toEqual({ ...body, owner: { id: '3' } });
  });

  test('only fields that the body has itself, and that have a value, are encoded', () => {
    const encode = encoderOf(resource({ at: isoDate }));
    expect(encode(Object.assign(Object.create({ at }), { id: 7 }))).toEqual({ id: 7 });
    expect(encode({ at: undefined })).toEqual({ at: undefined });
  });

  test('null is left to a codec, unless the field is nullable', () => {
    const orNull = z.codec(z.string(), z.nullable(z.string()), {
      decode: (given) => given || null,
      encode: (value) => value ?? '',
    });
    const encode = encoderOf(resource({ note: z.optional(orNull), at: z.nullable(isoDate) }));
    expect(encode({ note: null, at: null })).toEqual({ note: '', at: null });
  });

  test('an expandable resource that is expanded', () => {
    const encode = encoderOf(resource({ company: expandable(resource({ at: isoDate })) }));
    expect(encode({ company: { id: 3, at } })).toEqual({ company: { id: 3, at: text } });
    expect(encode({ company: { id: 3 } })).toEqual({ company: { id: 3 } });
  });

  test('a resource that holds itself', () => {
    const Node: Resource = resource({
      at: isoDate,
      get children(): z.core.$ZodType {
        return z.array(Node);
      },
    });
    const schema: unknown = encoderOf(Node)({ at, children: [{ at, children: [] }] });
    expect(schema).toEqual({ at: text, children: [{ at: text, children: [] }] });
  });

  test('a value that does not fit names its field and not the value', () => {
    const encode = encoderOf(resource({ lines: z.array(z.object({ at: isoDate })) }));
    const send = () => encode({ lines: [{ at }, { at: new Date(Number.NaN) }] });
    expect(send).toThrow(InvalidRequestError);
    expect(send).toThrow(
      /^body\.lines\.1\.at cannot be encoded; pass what its codec decodes to: a valid date$/,
    );
    const wrong = () => encode({ lines: [{ at: 'secret' }] });
    expect(wrong).toThrow(/^body\.lines\.0\.at cannot be encoded; pass what its codec decodes to: date$/);
  });

  test('a value whose encoded form the schema refuses says so', () => {
    const price = z.codec(z.string().regex(/^\d+$/), z.number(), { decode: Number, encode: String });
    const encode = encoderOf(resource({ price }));
    expect(() => encode({ price: 1.5 })).toThrow(
      /^body\.price cannot be encoded: its schema refuses it \(invalid_format\)$/,
    );
  });

  test('an error of a codec is not shown, because it may quote the value', () => {
    const refuse = (value: string): string => {
      throw new TypeError(value);
    };
    const codec = z.codec(z.string(), z.string(), { decode: refuse, encode: refuse });
    const encode = encoderOf(resource({ code: codec }));
    expect(() => encode({ code: 'secret' })).toThrow(
      /^body\.code cannot be encoded: its codec threw TypeError$/,
    );
  });
});

describe('parse', () => {
  test.each([
    ['RangeError', z.string().transform((given) => new Date(given).toISOString())],
    ['SyntaxError', z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })],
    ['TypeError', z.codec(z.string(), z.instanceof(URL), { decode: (url) => new URL(url), encode: String })],
  ])('a value on which a function of its schema throws %s does not fit', (name, schema) => {
    const issues = [{ path: '', message: `a function of the schema threw ${name}`, keys: [] }];
    expect(parse(schema, 'soon')).toEqual({ ok: false, issues });
  });

  test('names the field on which a function throws', () => {
    const cents = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String });
    const Order = resource({ lines: z.array(z.object({ price: z.optional(cents), note: z.string() })) });
    const lines = [
      { price: '125', note: 'a' },
      { price: '1.25', note: 'b' },
    ];
    const message = 'a function of the schema threw SyntaxError';
    expect(parse(Order, { id: 1, self: 'https://api.test/v1/orders/1', lines })).toEqual({
      ok: false,
      issues: [{ path: 'lines.1.price', message, keys: ['lines', '1', 'price'] }],
    });
  });

  test('takes no long text apart to find the field on which a function throws', () => {
    const cents = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String });
    const entries = vi.spyOn(Object, 'entries');
    onTestFinished(() => entries.mockRestore());
    const parsed = parse(z.object({ price: cents }), { price: 'much' });
    expect(parsed).toMatchObject({ ok: false, issues: [{ path: 'price' }] });
    const texts = entries.mock.calls.filter(([value]) => Object(value) instanceof String);
    expect(texts).toEqual([]);
  });

  test('of a schema that makes itself anew at each level ends', () => {
    const tree = (): z.ZodType => z.object({ children: z.array(z.lazy(tree)) });
    const Tree = resource({ tree: tree() });
    requireSynchronous(Tree);
    const value = { id: 1, tree: { children: [{ children: [] }] } };
    expect(parse(Tree, value)).toEqual({ ok: true, value });
  });

  test('names the first twenty places', () => {
    const parsed = parse(z.array(z.string()), Array(100).fill(5));
    expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual(Object.keys(Array(20).fill(0)));
  });

  test.each([
    ['a refinement', z.string().refine(async () => Promise.reject(new Error('no')))],
    ['a transform', z.string().transform(async (given) => given)],
    ['a refinement that returns a promise', z.string().refine(() => Promise.resolve(true))],
  ])('%s that is asynchronous is refused', (_what, field) => {
    const check = () => {
      requireSynchronous(resource({ field }));
      return parse(resource({ field }), { id: 1, field: 'a' });
    };
    expect(check).toThrow(InvalidRequestError);
    expect(check).toThrow('asynchronous');
  });
});
