import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidRequestError, memoryStore, sealed, tokenAuth } from 'restkin';
import { checkTokenStore } from 'restkin/mocks';
import { sqliteStore } from 'restkin/sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestClient } from '../../../faults/clients.ts';
import { temporaryFolder } from '../../../faults/fleet.ts';
import { startTokenServer } from '../../../faults/token-server.ts';
import { rejectionOf } from '../../../support/shop.ts';

const createKey = (): Uint8Array => new Uint8Array(randomBytes(32));

const createCryptoKey = (
  name: 'AES-GCM' | 'AES-CBC' = 'AES-GCM',
  length: 128 | 256 = 256,
  usages: ('encrypt' | 'decrypt')[] = ['encrypt', 'decrypt'],
) => crypto.subtle.generateKey({ name, length }, false, usages);

afterEach(() => {
  vi.doUnmock('jose/jwe/compact/decrypt');
});

describe('sealed', () => {
  test('is a token store', async () => {
    const [inner, key] = [memoryStore(), createKey()];
    await expect(checkTokenStore(() => sealed(inner, key))).resolves.toBeUndefined();
  });

  test('with a CryptoKey that cannot be exported is a token store, and another key opens nothing', async () => {
    const [inner, key] = [memoryStore(), await createCryptoKey()];
    await expect(checkTokenStore(() => sealed(inner, key))).resolves.toBeUndefined();
    await sealed(inner, key).swap('chain', 0, 'secret text');
    expect((await inner.read('chain'))?.record).not.toContain('secret');
    const other = sealed(inner, await createCryptoKey());
    expect(await rejectionOf(other.read('chain'))).toBeInstanceOf(InvalidRequestError);
  });

  test.each([
    ['of 128 bits', () => createCryptoKey('AES-GCM', 128)],
    ['for another algorithm', () => createCryptoKey('AES-CBC')],
    ['that only decrypts', () => createCryptoKey('AES-GCM', 256, ['decrypt'])],
  ])('refuses a CryptoKey %s', async (_name, create) => {
    const key = await create();
    expect(() => sealed(memoryStore(), key)).toThrow(InvalidRequestError);
  });

  test('leaves no plain text of a record in the store', async () => {
    const inner = memoryStore();
    await sealed(inner, createKey()).swap('chain', 0, 'secret text');
    const stored = await inner.read('chain');
    expect(stored?.version).toBe(1);
    expect(stored?.record).not.toContain('secret');
    expect(stored?.record.split('.')).toHaveLength(5);
  });

  test('has the events of the store', () => {
    const events = { send: () => undefined, listen: () => undefined };
    expect(sealed({ ...memoryStore(), events }, createKey()).events).toBe(events);
    expect(sealed(memoryStore(), createKey()).events).toBeUndefined();
  });

  test('encrypts the same record differently each time', async () => {
    const inner = memoryStore();
    const store = sealed(inner, createKey());
    await store.swap('one', 0, 'record');
    await store.swap('two', 0, 'record');
    expect((await inner.read('one'))?.record).not.toBe((await inner.read('two'))?.record);
  });

  test('with a wrong key throws and keeps the record', async () => {
    const inner = memoryStore();
    const right = createKey();
    await sealed(inner, right).swap('chain', 0, 'record');
    const stored = await inner.read('chain');
    expect(await rejectionOf(sealed(inner, createKey()).read('chain'))).toBeInstanceOf(InvalidRequestError);
    expect(await inner.read('chain')).toEqual(stored);
    expect(await sealed(inner, right).read('chain')).toEqual({ version: 1, record: 'record' });
  });

  test('with a wrong key rejects signOut() with the reason, which is not a failure of the store', async () => {
    const inner = memoryStore();
    const login = { authUrl: 'https://auth.test', username: 'ada', password: 'lovelace' };
    await tokenAuth({ ...login, store: sealed(inner, createKey()) }).signOut();
    const error = await rejectionOf(tokenAuth({ ...login, store: sealed(inner, createKey()) }).signOut());
    expect(error).toBeInstanceOf(InvalidRequestError);
  });

  test('refuses a record that was moved from another chain, and one that was changed', async () => {
    const inner = memoryStore();
    const store = sealed(inner, createKey());
    await store.swap('chain', 0, 'record');
    const { record } = (await inner.read('chain')) ?? { record: '' };
    await inner.swap('other', 0, record);
    await inner.swap('changed', 0, `${record.slice(0, -4)}AAAA`);
    await inner.swap('plain', 0, '{"generation":1}');
    for (const chain of ['other', 'changed', 'plain']) {
      expect(await rejectionOf(store.read(chain))).toBeInstanceOf(InvalidRequestError);
    }
  });

  test('blames no key when the code that decrypts cannot be loaded', async () => {
    const store = sealed(memoryStore(), createKey());
    await store.swap('chain', 0, 'record');
    vi.doMock('jose/jwe/compact/decrypt', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    expect(await rejectionOf(store.read('chain'))).not.toBeInstanceOf(InvalidRequestError);
    vi.doUnmock('jose/jwe/compact/decrypt');
    expect(await store.read('chain')).toEqual({ version: 1, record: 'record' });
  });

  test.each([
    ['31 bytes', new Uint8Array(31)],
    ['none', new Uint8Array()],
    ['33 bytes', new Uint8Array(33)],
    ['a text', 'x'.repeat(32) as unknown as Uint8Array],
  ])('refuses a key of %s', (_name, key) => {
    expect(() => sealed(memoryStore(), key)).toThrow(InvalidRequestError);
  });

  test('on SQLite leaves no token in any file, and a wrong key rejects the call', async () => {
    await using server = await startTokenServer();
    const path = join(temporaryFolder(), 'tokens.db');
    const store = sqliteStore({ path });
    const { call } = createTestClient(server, { store: sealed(store, createKey()) });
    await call();
    server.expireAll();
    await call();
    const files = ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1')).join('');
    const secrets = [...server.presented.keys(), ...server.credentials.map((value) => value.slice(7))];
    expect(secrets.filter((secret) => files.includes(secret))).toEqual([]);
    expect(files).toContain('chains');
    const other = createTestClient(server, { store: sealed(store, createKey()) });
    expect(await rejectionOf(other.call())).toBeInstanceOf(InvalidRequestError);
    expect(server.tokenRequests).toEqual(['password', 'refresh_token']);
    expect(await call()).toEqual([]);
    store.close();
  });
});
