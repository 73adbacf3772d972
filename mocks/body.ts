import { header, jsonType } from '../src/conventions/headers.ts';
import { Refusal } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import { checkContentType } from './negotiate.ts';

/** Largest request body, in bytes. §8 shows no number for 413; this one is the mock's own. */
export const maxBodyBytes = 1_048_576;

const tooLarge = (): never => {
  throw new Refusal(413, `The request body is larger than ${maxBodyBytes} bytes`);
};

const readBytes = async (request: Incoming): Promise<Uint8Array> => {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > maxBodyBytes) {
      await reader?.cancel();
      tooLarge();
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

/**
 * The text of a request body; empty when there is none. It throws when it is called, not when the body is read.
 *
 * @throws {@link Refusal} 413 above {@link maxBodyBytes}, 400 for what is not UTF-8
 */
export type BodyText = () => string;

const noText: BodyText = () => '';

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The request body is not UTF-8');
  }
};

/** Reads a request body to its end, or to where it is too large. */
export const readBody = async (request: Incoming): Promise<BodyText> => {
  if (request.body === null) return noText;
  try {
    const text = decode(await readBytes(request));
    return () => text;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** The value of a JSON body for the log; undefined where there is none. */
export const peekJson = (request: Incoming, text: BodyText): unknown => {
  if (request.body === null || !/\bjson\b/i.test(request.headers.get(header.contentType) ?? ''))
    return undefined;
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
};

/**
 * The value of a JSON body.
 *
 * @throws {@link Refusal} 415 for another content type, 413, and 400 with `message` alone when the body is missing
 * or cannot be parsed (§7.2.2)
 */
export const readJson = (request: Incoming, bodyText: BodyText): unknown => {
  if (request.headers.has(header.contentType)) checkContentType(request, jsonType);
  const text = bodyText();
  if (text.trim() === '') throw new Refusal(400, 'A request body is required');
  checkContentType(request, jsonType);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
};
