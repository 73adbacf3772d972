import { readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../errors.ts';
import { cannotRead } from '../io.ts';
import { isObject, type Json, limits, parseDocument } from './json.ts';

/** A value of a document, and where it is. */
export interface Located {
  readonly value: Json;
  /** The URL of its document. */
  readonly base: string;
  /** The URL of the value, when a reference led to it. */
  readonly url?: string;
}

/** A document, with the values that its references lead to. */
export type References = Awaited<ReturnType<typeof openDocument>>;

const timeoutMs = 30_000;

const tooLarge = (name: string): UsageError =>
  new UsageError(`${name} has more than ${limits.bytes / 1024 / 1024} MiB`);

const readFileOf = async (file: string): Promise<string> => {
  try {
    if ((await stat(file)).size > limits.bytes) throw tooLarge(file);
    return await readFile(file, 'utf8');
  } catch (error) {
    throw error instanceof UsageError ? error : cannotRead(file, error);
  }
};

/** A URL without the parts that may hold a secret. */
const withoutSecrets = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const fetchContent = async (url: string, stop: AbortSignal): Promise<string> => {
  const name = withoutSecrets(url);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { redirect: 'error', signal });
    if (!response.ok || response.body === null)
      throw new UsageError(`GET ${name}: status ${response.status}`);
    let content = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      content += part;
      if (content.length > limits.bytes) throw tooLarge(name);
    }
    return content;
  } catch (error) {
    if (error instanceof UsageError || stop.aborted) throw error;
    throw new UsageError(`GET ${name}: no complete response; a redirect is not followed`);
  }
};

const isFile = (url: string): boolean => url.startsWith('file:');

/** True for a URL that a document can be read from. A file on another host cannot be read. */
const isReadable = ({ protocol, host }: URL): boolean =>
  protocol === 'https:' || protocol === 'http:' || (protocol === 'file:' && host === '');

/** The name of a document in messages. */
const nameOf = (url: string): string => (isFile(url) ? fileURLToPath(url) : withoutSecrets(url));

const toUrl = (name: string): string =>
  /^https?:\/\//i.test(name) ? new URL(name).href : pathToFileURL(resolve(name)).href;

const findIn = (document: Json, pointer: string): Json | undefined => {
  let at: unknown = document;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return isObject(at) ? at : undefined;
};

const decode = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/**
 * Opens a document. References to other files and URLs are refused, except those that are allowed by name: a file, a URL,
 * or a host such as `https://schemas.example.com`.
 *
 * @throws {@link UsageError} for a file that is not a document
 */
export const openDocument = async (file: string, allowed: readonly string[], stop: AbortSignal) => {
  const rootUrl = pathToFileURL(resolve(file)).href;
  const document = await parseDocument(file, await readFileOf(file));
  const documents = new Map([[rootUrl, document]]);
  const missing = new Set<string>();
  const allowedUrls = allowed.map(toUrl);

  const checkAllowed = (url: string, reference: string): void => {
    const { origin } = new URL(url);
    if (allowedUrls.some((one) => one === url || (!isFile(url) && one === `${origin}/`))) return;
    const [shown, place, name] = isFile(url)
      ? [reference, 'file', relative('.', fileURLToPath(url))]
      : [withoutSecrets(url), 'host', origin];
    throw new UsageError(
      `${file}: the reference ${JSON.stringify(shown)} leads to another ${place}; if it may be read, add --allow-ref=${name}`,
    );
  };

  /** The target of a reference, or the value itself if it is not a reference; undefined if the target is missing. */
  const follow = (start: unknown, startBase: string): Located | undefined => {
    let located: Located | undefined = isObject(start) ? { value: start, base: startBase } : undefined;
    for (const seen = new Set<string>(); located !== undefined; ) {
      const { $ref: reference } = located.value;
      if (typeof reference !== 'string') return located;
      if (!URL.canParse(reference, located.base)) return undefined;
      const url = new URL(reference, located.base);
      if (!isReadable(url)) return undefined;
      const pointer = decode(url.hash.slice(1));
      url.hash = '';
      const identity = `${url.href}#${pointer}`;
      if (seen.has(identity)) return undefined;
      seen.add(identity);
      const referenced = documents.get(url.href);
      if (referenced === undefined) {
        checkAllowed(url.href, reference);
        missing.add(url.href);
        return undefined;
      }
      const value = findIn(referenced, pointer);
      located = value && { value, base: url.href, url: identity };
    }
    return located;
  };

  /** Reads the documents that were missing. False when none was missing. */
  const loadMissing = async (): Promise<boolean> => {
    if (missing.size === 0) return false;
    if (documents.size + missing.size > limits.documents) {
      throw new UsageError(`${file}: its references lead to more than ${limits.documents} documents`);
    }
    for (const url of missing) {
      const content = isFile(url) ? await readFileOf(fileURLToPath(url)) : await fetchContent(url, stop);
      documents.set(url, await parseDocument(nameOf(url), content));
    }
    missing.clear();
    return true;
  };

  /** The document that is imported. */
  const root: Located = { value: document, base: rootUrl };
  return { root, follow, loadMissing };
};
