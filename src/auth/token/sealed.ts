import { InvalidRequestError } from '../../errors/restkin-error.ts';
import type { TokenStore } from './store.ts';

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

// Loaded when the first record is written or read: a client without `sealed` does not pay for it.
const encrypt = async (content: Content, key: Uint8Array | WebCryptoKey): Promise<string> => {
  const { CompactEncrypt } = await import('jose/jwe/compact/encrypt');
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
};

/** Undefined for a record that the key does not open. */
const decrypt = async (
  sealedRecord: string,
  key: Uint8Array | WebCryptoKey,
): Promise<Content | undefined> => {
  // Outside of the `try`: a failure to load this code says nothing about the key.
  const { compactDecrypt } = await import('jose/jwe/compact/decrypt');
  try {
    const { plaintext } = await compactDecrypt(sealedRecord, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch {
    return undefined;
  }
};

/**
 * Encrypts the records of a store at rest (JWE, `dir` with A256GCM).
 *
 * @param key - 32 random bytes, or a `CryptoKey` for AES-GCM with 256 bits that may encrypt and decrypt; anyone with
 * the key and the store has the tokens
 * @throws {@link InvalidRequestError} for any other key. A call throws it when the key does not open the stored record,
 * which is then left as it is
 * @example
 * ```ts
 * const key = crypto.getRandomValues(new Uint8Array(32)); // in production, from a vault
 * const auth = tokenAuth({ authUrl, username, password, store: sealed(redisStore(redis), key) });
 * ```
 */
export const sealed = (store: TokenStore, key: Uint8Array | WebCryptoKey): TokenStore => {
  if (!isKey(key)) {
    throw new InvalidRequestError(
      `The key of sealed() must be ${keyBytes} bytes, or a CryptoKey for AES-GCM with 256 bits and both usages`,
    );
  }
  const unseal = async (chain: string, record: string): Promise<string> => {
    const content = await decrypt(record, key);
    if (content?.chain === chain) return content.record;
    throw new InvalidRequestError(
      'The key of sealed() does not open the stored tokens; they are left as they are',
    );
  };
  return {
    read: async (chain) => {
      const stored = await store.read(chain);
      return stored && { version: stored.version, record: await unseal(chain, stored.record) };
    },
    swap: async (chain, expectedVersion, record) =>
      store.swap(chain, expectedVersion, await encrypt({ chain, record }, key)),
    events: store.events,
  };
};
