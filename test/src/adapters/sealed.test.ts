import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidRequestError, memoryStore, ReauthenticationRequiredError, tokenAuth } from 'restkin';
import { sealed } from 'restkin/sealed';
import { sqliteStore } from 'restkin/sqlite';
import { describe, expect, test } from 'vitest';
import { createTestClient } from '../../faults/clients.ts';
import { mostPresented, startTokenServer } from '../../faults/token-server.ts';
import { temporaryFolder } from '../../support/runs.ts';
import { rejectionOf } from '../../support/shop.ts';
import { checkTokenStore } from '../../support/token-store-rules.ts';

const createKey = (): Uint8Array => new Uint8Array(randomBytes(32));

const createCryptoKey = (
  name: 'AES-GCM' | 'AES-CBC' = 'AES-GCM',
  length: 128 | 256 = 256,
  usages: ('encrypt' | 'decrypt')[] = ['encrypt', 'decrypt'],
) => crypto.subtle.generateKey({ name, length }, false, usages);

describe('sealed', () => {
  test.each([
    ['bytes', createKey],
    ['a CryptoKey that cannot be exported', () => createCryptoKey()],
  ])('with a key of %s is a token store', async (_what, create) => {
    const [inner, key] = [memoryStore(), await create()];
    await expect(checkTokenStore(() => sealed(inner, key))).resolves.toBeUndefined();
  });

  test.each([
    ['a CryptoKey of 128 bits', () => createCryptoKey('AES-GCM', 128)],
    ['a CryptoKey for another algorithm', () => createCryptoKey('AES-CBC')],
    ['a CryptoKey that only decrypts', () => createCryptoKey('AES-GCM', 256, ['decrypt'])],
    ['31 bytes', () => new Uint8Array(31)],
    ['a string', () => 'x'.repeat(32) as unknown as Uint8Array],
  ])('refuses %s', async (_name, create) => {
    const key = await create();
    expect(() => sealed(memoryStore(), key)).toThrow(InvalidRequestError);
  });

  test('keeps its key when the caller wipes the array', async () => {
    const [inner, key] = [memoryStore(), createKey()];
    const [store, other] = [sealed(inner, key), sealed(inner, key.slice())];
    key.fill(0);
    await store.swap('one', 0, 'tokens');
    expect(await other.read('one')).toEqual({ version: 1, record: 'tokens' });
  });

  test('watches a store whose methods need it as `this`', () => {
    const watched: string[] = [];
    const inner = {
      ...memoryStore(),
      watched,
      watch(chain: string) {
        this.watched.push(chain);
      },
    };
    sealed(inner, createKey()).watch?.('one', () => undefined);
    expect(watched).toEqual(['one']);
  });

  test('leaves no plain text of a record in the store, and encrypts it differently each time', async () => {
    const inner = memoryStore();
    const store = sealed(inner, createKey());
    await store.swap('one', 0, 'secret text');
    await store.swap('two', 0, 'secret text');
    const [one, two] = [await inner.read('one'), await inner.read('two')];
    expect(one?.version).toBe(1);
    expect(one?.record).not.toContain('secret');
    expect(one?.record.split('.')).toHaveLength(5);
    expect(one?.record).not.toBe(two?.record);
  });

  test('has no tokens where the key does not open the record: it is of another chain, changed, or plain', async () => {
    const inner = memoryStore();
    const store = sealed(inner, createKey());
    await store.swap('chain', 0, 'record');
    const { record } = (await inner.read('chain')) ?? { record: '' };
    await inner.swap('other', 0, record);
    await inner.swap('changed', 0, `${record.slice(0, -4)}AAAA`);
    await inner.swap('plain', 0, '{"generation":1}');
    for (const chain of ['other', 'changed', 'plain']) {
      expect(await store.read(chain)).toEqual({ version: 1, record: '' });
    }
  });

  test('reads the key of the store again where it does not open the record', async () => {
    const [before, after] = [await createCryptoKey(), await createCryptoKey()];
    const inner = memoryStore();
    const openTab = sealed({ ...inner, key: async () => after }, before);
    const newTab = sealed({ ...inner, key: async () => after }, after);
    await openTab.swap('chain', 0, 'written under the key before the storage was cleared');
    expect(await newTab.read('chain')).toEqual({ version: 1, record: '' });
    await newTab.swap('chain', 1, 'record');
    expect(await openTab.read('chain')).toEqual({ version: 2, record: 'record' });
    await openTab.swap('chain', 2, 'next');
    expect(await newTab.read('chain')).toEqual({ version: 3, record: 'next' });
  });

  test('on SQLite leaves no token in any file; with another key the client logs in', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const path = join(temporaryFolder(), 'tokens.db');
    const store = sqliteStore({ path });
    const { call } = createTestClient(server, { store: sealed(store, createKey()) });
    await call();
    server.expireAll();
    await call();
    const files = readFileSync(path, 'latin1');
    const secrets = [...server.presented.keys(), ...server.credentials.map((value) => value.slice(7))];
    expect(secrets.filter((secret) => files.includes(secret))).toEqual([]);
    expect(files).toContain('chains');
    const other = createTestClient(server, { store: sealed(store, createKey()) });
    expect(await other.call()).toEqual([]);
    server.expireAll();
    expect(await call()).toEqual([]);
    expect(mostPresented(server)).toBe(1);
    store.close();
  });

  test('with a wrong key sends no refresh token that was handed in, and ends the login on signOut()', async () => {
    await using server = await startTokenServer({ revokeOnReuse: true });
    const inner = memoryStore();
    const tokens = { refreshToken: server.login().refreshToken };
    await createTestClient(server, { store: sealed(inner, createKey()), tokens }).call();
    const other = createTestClient(server, { store: sealed(inner, createKey()), tokens });
    expect(await rejectionOf(other.call())).toBeInstanceOf(ReauthenticationRequiredError);
    expect(mostPresented(server)).toBe(1);
    const login = { authUrl: server.url, tokens };
    await expect(
      tokenAuth({ ...login, store: sealed(inner, createKey()) }).signOut(),
    ).resolves.toBeUndefined();
  });
});
