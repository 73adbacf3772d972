import type { Duplex } from 'node:stream';
import { jsonType } from '../src/conventions/headers.ts';
import { textOf } from './answer-text.ts';
import { formatErrorBody, jsonAnswer, phraseOf } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import type { Respond } from './respond.ts';

/** What Node says of a request that its parser does not take. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

/** The request in the packet, when it is one with the method TRACK; undefined for all else. */
const readTrack = ({ rawPacket }: ParserError, origin: string): Incoming | undefined => {
  const [line = '', ...rest] = new TextDecoder('latin1').decode(rawPacket ?? new Uint8Array()).split('\r\n');
  const [, target = ''] = /^TRACK (\/\S*) HTTP\/1\.[01]$/.exec(line) ?? [];
  const host = rest.map((field) => /^host:\s*(\S+)\s*$/i.exec(field)?.[1]).find((name) => name !== undefined);
  const url = `${host === undefined ? origin : `http://${host}`}${target}`;
  if (target === '' || !URL.canParse(url)) return undefined;
  return { method: 'TRACK', url, headers: new Headers(), body: null, signal: new AbortController().signal };
};

const statusOf = ({ code }: ParserError): number => (code === 'HPE_INVALID_METHOD' ? 405 : 400);

/**
 * Answers what Node's parser does not take, and with it TRACK: the conventions name that method, so it is answered and
 * logged as any other (§4.2).
 */
export const answerUnparsed = async (
  respond: Respond,
  origin: string,
  error: ParserError,
  socket: Duplex,
): Promise<void> => {
  if (!socket.writable) return;
  const track = readTrack(error, origin);
  const status = statusOf(error);
  const response =
    (track && (await respond(track).catch(() => undefined))) ??
    jsonAnswer(status, formatErrorBody(phraseOf(status) ?? ''));
  if (socket.destroyed) return;
  // A fault that cut the connection.
  if (response.type === 'error') return void socket.destroy();
  const text = await textOf(response).catch(() => '');
  const headers = new Headers(response.headers);
  headers.set('content-type', headers.get('content-type') ?? jsonType);
  headers.set('content-length', String(Buffer.byteLength(text)));
  headers.set('connection', 'close');
  const fields = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${response.status} ${phraseOf(response.status) ?? ''}\r\n${fields}\r\n${text}`);
};
