import { once } from 'node:events';
import { connect } from 'node:net';

/** A value of RESP, the protocol of Redis. */
type Reply = string | number | null | Error | Reply[];

/** A reply and where it ends; undefined while it is not complete. */
const parseReply = (text: Buffer, from: number): { value: Reply; end: number } | undefined => {
  const lineEnd = text.indexOf('\r\n', from);
  if (lineEnd < 0) return undefined;
  const line = text.toString('utf8', from + 1, lineEnd);
  const end = lineEnd + 2;
  switch (text.toString('latin1', from, from + 1)) {
    case '+':
      return { value: line, end };
    case '-':
      return { value: new Error(line), end };
    case ':':
      return { value: Number(line), end };
    case '$': {
      const length = Number(line);
      if (length < 0) return { value: null, end };
      if (text.length < end + length + 2) return undefined;
      return { value: text.toString('utf8', end, end + length), end: end + length + 2 };
    }
    default: {
      const values: Reply[] = [];
      let at = end;
      for (let left = Number(line); left > 0; left--) {
        const item = parseReply(text, at);
        if (item === undefined) return undefined;
        values.push(item.value);
        at = item.end;
      }
      return { value: values, end: at };
    }
  }
};

const formatCommand = (command: readonly string[]): string =>
  `*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

export interface RespClient {
  send(command: readonly string[]): Promise<unknown>;
  readonly close: () => void;
}

/** The smallest client of Redis: for tests that must not depend on a package. */
export const connectResp = async (port: number): Promise<RespClient> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay();
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let reply = parseReply(received, 0); reply !== undefined; reply = parseReply(received, 0)) {
      received = received.subarray(reply.end);
      const next = waiting.shift();
      if (reply.value instanceof Error) next?.reject(reply.value);
      else next?.resolve(reply.value);
    }
  });
  const fail = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The connection to Redis is gone'));
  };
  socket.on('error', fail);
  socket.on('close', fail);
  return {
    send: (command) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error('The connection to Redis is gone'));
          return;
        }
        waiting.push({ resolve, reject });
        socket.write(formatCommand(command));
      }),
    close: () => socket.destroy(),
  };
};
