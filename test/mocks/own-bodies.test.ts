import { collection, createClient, defineApi, isValidationError, resource, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const Note = resource({ text: z.string(), author: z.string(), at: isoDate });
const notes = defineApi({
  name: 'notes',
  version: 1,
  auth: 'token',
  collections: {
    notes: collection('notes', Note, {
      bodies: {
        create: z.object({ text: z.string().min(1), remindAt: z.optional(isoDate) }),
        replace: z.object({ text: z.string() }),
        update: z.object({ at: isoDate }),
      },
    }),
  },
});

const connect = () => {
  const baseUrl = 'https://api.test';
  const mock = createMock(notes, {
    baseUrl,
    authUrl: baseUrl,
    users: [{ username: 'ada', password: 'lovelace' }],
  });
  const auth = tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' });
  return { mock, api: createClient({ baseUrl, auth, fetch: mock.fetch }).api(notes).notes };
};

test("a body is checked by the declaration's own schema, and the resource is completed", async () => {
  const { api, mock } = connect();
  const at = new Date('2026-01-02T03:04:05.000Z');
  const created = await api.create({ text: 'a', remindAt: at });
  expect(created).toMatchObject({ text: 'a', author: expect.any(String) });
  expect(mock.requests.at(-1)?.body).toEqual({ text: 'a', remindAt: at.toISOString() });
  await api.replace(1, { text: 'b' });
  await api.update(1, { at });
  expect(await api.get(1)).toMatchObject({ text: 'b', at });
});

test("a body that does not fit the declaration's own schema gets 400 with the field", async () => {
  const { api } = connect();
  const refused = await api.create({ text: '' }).catch((error: unknown) => error);
  expect(isValidationError(refused) && Object.keys(refused.fieldErrors)).toEqual(['text']);
  const missing = await api.create({} as { text: string }).catch((error: unknown) => error);
  expect(isValidationError(missing) && missing.errors).toMatchObject([
    { field: 'text', code: 'missingField' },
  ]);
});
