import { header, jsonType } from '../src/conventions/headers.ts';
import { Refusal } from './error-answer.ts';
import { checkContentType } from './negotiate.ts';

/** Largest request body, in bytes. §8 shows no number for 413; this one is the mock's own. */
export const maxBodyBytes = 1_048_576;

const tooLarge = (): never => {
  throw new Refusal(413, `The request body is larger than ${maxBodyBytes} bytes`);
};

const readBytes = async (request: Request): Promise<Uint8Array> => {
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
 * The text of a request body; empty when there is none.
 *
 * @throws {@link Refusal} 413 above {@link maxBodyBytes}, 400 for what is not UTF-8
 */
export const readText = async (request: Request): Promise<string> => {
  const bytes = await readBytes(request);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The request body is not UTF-8');
  }
};

/**
 * The value of a JSON body.
 *
 * @throws {@link Refusal} 415 for another content type, 413, and 400 with `message` alone when the body is missing
 * or cannot be parsed (§7.2.2)
 */
export const readJson = async (request: Request): Promise<unknown> => {
  if (request.headers.has(header.contentType)) checkContentType(request, jsonType);
  const text = await readText(request);
  if (text.trim() === '') throw new Refusal(400, 'A request body is required');
  checkContentType(request, jsonType);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
};
