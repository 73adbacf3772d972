import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Compiler } from './consumer.ts';

// What an editor asks a compiler for. TypeScript 7 speaks the language server protocol, and the versions before it a
// protocol of their own; the frames of both are the same.

/** An editor with one program open. Each question says how the program stands then. */
export interface Editor {
  /** What is shown for the name at an offset, without its documentation. */
  hover(text: string, offset: number): Promise<string>;
  /** The names that are offered at an offset. */
  complete(text: string, offset: number): Promise<readonly string[]>;
  close(): void;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A place from 0, as offsets of an editor are counted. */
const placeOf = (text: string, offset: number): Place => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
};

/** Gives each message of a stream of `Content-Length` frames. */
const readFrames = (stream: Readable, receive: (message: unknown) => void): void => {
  let buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, head))?.[1]);
      const end = head + 4 + length;
      if (head === -1 || buffer.length < end) return;
      receive(JSON.parse(buffer.toString('utf8', head + 4, end)));
      buffer = buffer.subarray(end);
    }
  });
};

/** Starts a server of a compiler and sends it requests by number. */
const startServer = (path: string, args: readonly string[], folder: string) => {
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)), ...args],
    { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const waiting = new Map<number, (result: unknown) => void>();
  return {
    stdout: server.stdout,
    write: (text: string) => void server.stdin.write(text),
    expect: (id: number) => new Promise<unknown>((resolve) => waiting.set(id, resolve)),
    answer: (id: number | undefined, result: unknown) => waiting.get(id ?? -1)?.(result),
    close: () => void server.kill(),
  };
};

interface OldMessage {
  readonly request_seq?: number;
  readonly body?: unknown;
}
interface OldCompletions {
  readonly entries?: readonly { readonly name: string }[];
}

const openOld = (compiler: Compiler, folder: string, name: string): Editor => {
  const args = ['--disableAutomaticTypingAcquisition'];
  const server = startServer(`${compiler}/lib/tsserver.js`, args, folder);
  readFrames(server.stdout, (message) => {
    const { request_seq, body } = message as OldMessage;
    server.answer(request_seq, body);
  });
  const file = join(folder, name);
  let seq = 0;
  let shown = '';
  const ask = (command: string, given: object): Promise<unknown> => {
    const response = server.expect(++seq);
    server.write(`${JSON.stringify({ seq, type: 'request', command, arguments: given })}\n`);
    return response;
  };
  const askAt = async (command: string, text: string, offset: number): Promise<unknown> => {
    const { line, column } = placeOf(text, offset);
    if (text !== shown) await ask('updateOpen', { openFiles: [{ file, fileContent: text }] });
    shown = text;
    return ask(command, { file, line: line + 1, offset: column + 1 });
  };
  return {
    hover: async (text, offset) => {
      const info = (await askAt('quickinfo', text, offset)) as { readonly displayString: string };
      return info.displayString;
    },
    complete: async (text, offset) => {
      const offered = (await askAt('completionInfo', text, offset)) as OldCompletions | undefined;
      return (offered?.entries ?? []).map((entry) => entry.name);
    },
    close: server.close,
  };
};

interface NewMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}
interface NewCompletions {
  readonly items?: readonly { readonly label: string }[];
}

const openNew = (compiler: Compiler, folder: string, name: string): Editor => {
  const server = startServer(`${compiler}/bin/tsc`, ['--lsp', '--stdio'], folder);
  const send = (message: object): void => {
    const json = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  };
  readFrames(server.stdout, (message) => {
    const { id, method, result } = message as NewMessage;
    if (method === undefined) server.answer(id, result);
    // What the server asks of an editor may be left as it is.
    else if (id !== undefined) send({ id, result: null });
  });
  let id = 0;
  const ask = (method: string, params: object): Promise<unknown> => {
    const response = server.expect(++id);
    send({ id, method, params });
    return response;
  };
  const uri = pathToFileURL(join(folder, name)).href;
  const ready = ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    // The code of a hover is fenced in Markdown.
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  }).then(() => send({ method: 'initialized', params: {} }));
  let version = 0;
  let shown = '';
  const show = (text: string): void => {
    if (text === shown) return;
    shown = text;
    version++;
    if (version === 1) {
      const textDocument = { uri, languageId: 'typescript', version, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
    } else {
      const params = { textDocument: { uri, version }, contentChanges: [{ text }] };
      send({ method: 'textDocument/didChange', params });
    }
  };
  const askAt = async (method: string, text: string, offset: number): Promise<unknown> => {
    await ready;
    show(text);
    const { line, column } = placeOf(text, offset);
    return ask(method, { textDocument: { uri }, position: { line, character: column } });
  };
  return {
    hover: async (text, offset) => {
      const info = await askAt('textDocument/hover', text, offset);
      const { contents } = info as { readonly contents: { readonly value: string } };
      return /^```\w*\n(.*?)\n```/s.exec(contents.value)?.[1] ?? contents.value;
    },
    complete: async (text, offset) => {
      const offered = (await askAt('textDocument/completion', text, offset)) as NewCompletions | null;
      // A property is offered as it would be written: `page?`, `"device.model"?`.
      return (offered?.items ?? []).map((item) => item.label.replace(/\?$/, ''));
    },
    close: server.close,
  };
};

/** Opens a program of a folder, which must be there, in the server of a compiler. */
export const openEditor = (compiler: Compiler, folder: string, name: string): Editor =>
  compiler === 'typescript-7' ? openNew(compiler, folder, name) : openOld(compiler, folder, name);
