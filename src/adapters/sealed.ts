/**
 * A token store that is encrypted at rest.
 *
 * @module restkin/sealed
 */

import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import type { TokenStore } from '../auth/token/store.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';

/** A `CryptoKey` of Web Crypto for {@link sealed}, whose own type does not exist in every project. */
export interface WebCryptoKey {
  /** `secret`. */
  readonly type: string;
  /** False where no script can export the key. */
  readonly extractable: boolean;
  /** `AES-GCM`, with `length` 256. */
  readonly algorithm: { readonly name: string };
  /** With `encrypt` and `decrypt`. */
  readonly usages: readonly string[];
}

type Key = Uint8Array | WebCryptoKey;

/** A store that has a key of its own, such as that of `restkin/indexeddb`. */
interface KeyedStore extends TokenStore {
  /** The current key; another one after the storage was cleared. */
  readonly key?: () => Promise<WebCryptoKey>;
}

/** The plaintext: the record with its chain, so that a record cannot be moved to another chain. */
interface Content {
  readonly chain: string;
  readonly record: string;
}

const keyBytes = 32;

const isKey = (key: unknown): boolean => {
  if (key instanceof Uint8Array) return key.length === keyBytes;
  const { algorithm, usages } = (key ?? {}) as Partial<WebCryptoKey>;
  const { name, length } = (algorithm ?? {}) as { readonly name?: unknown; readonly length?: unknown };
  const isUsable = usages?.includes('encrypt') === true && usages.includes('decrypt');
  return name === 'AES-GCM' && length === keyBytes * 8 && isUsable;
};

const encrypt = async (content: Content, key: Key): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);

/** The record, or undefined when the key does not open it or it belongs to another chain. */
const decrypt = async (chain: string, sealedRecord: string, key: Key): Promise<string | undefined> => {
  try {
    const { plaintext } = await compactDecrypt(sealedRecord, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const content: Content = JSON.parse(new TextDecoder().decode(plaintext));
    return content.chain === chain ? content.record : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Encrypts the records of a store at rest (JWE, `dir` with A256GCM).
 *
 * A record that the key does not open has no tokens: the next login replaces it. The key of a store in
 * IndexedDB is read again first, because a browser may clear the storage while a tab is open.
 *
 * @param key - 32 random bytes, or a `CryptoKey` for AES-GCM with 256 bits that may encrypt and decrypt;
 * anyone with the key and the store has the tokens
 * @throws `InvalidRequestError` for any other key
 * @example
 * ```ts
 * const key = crypto.getRandomValues(new Uint8Array(32)); // in production, from a vault
 * const auth = tokenAuth({ authUrl, username, password, store: sealed(redisStore(redis), key) });
 * ```
 */
export const sealed = (store: KeyedStore, key: Uint8Array | WebCryptoKey): TokenStore => {
  if (!isKey(key)) {
    throw new InvalidRequestError(
      `The key of sealed() must be ${keyBytes} bytes, or a CryptoKey for AES-GCM with 256 bits and both usages`,
    );
  }
  // A caller may wipe its array.
  let current: Key = key instanceof Uint8Array ? key.slice() : key;

  const unseal = async (chain: string, record: string): Promise<string | undefined> => {
    const opened = await decrypt(chain, record, current);
    if (opened !== undefined || store.key === undefined) return opened;
    current = await store.key();
    return decrypt(chain, record, current);
  };

  return {
    read: async (chain) => {
      const stored = await store.read(chain);
      if (!stored) return undefined;
      // An empty record has no tokens, and keeps the version, at which the next one replaces it.
      return { version: stored.version, record: (await unseal(chain, stored.record)) ?? '' };
    },
    swap: async (chain, expectedVersion, record) =>
      store.swap(chain, expectedVersion, await encrypt({ chain, record }, current)),
    watch: store.watch?.bind(store),
  };
};
