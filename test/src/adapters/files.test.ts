import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveFile } from 'restkin/files';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../faults/fleet.ts';
import { connect } from '../../support/basic-ordering.ts';
import { startRawServer } from '../../support/raw-server.ts';
import { mountDisk } from '../../support/store-paths.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restkin-'));
  return () => rm(folder, { recursive: true });
});

const streamOf = (parts: readonly string[], state: { cancelled?: unknown; error?: Error } = {}) => {
  const left = [...parts];
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = left.shift();
      if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
      else if (state.error === undefined) controller.close();
      else controller.error(state.error);
    },
    cancel: (reason) => {
      state.cancelled = reason;
    },
  });
};

describe('saveFile', () => {
  test('writes a file, and returns its length', async () => {
    const path = join(folder, 'a.wav');
    expect(await saveFile(streamOf(['ab', 'cde']), path)).toBe(5);
    expect(await readFile(path, 'utf8')).toBe('abcde');
    expect(await readdir(folder)).toEqual(['a.wav']);
  });

  // The process masks the second one for a new file.
  test.each([0o600, 0o666])(
    'replaces a file with its permissions %o, and what a link leads to',
    async (mode) => {
      const path = join(folder, 'a.wav');
      await writeFile(path, 'old');
      await chmod(path, mode);
      await symlink(path, join(folder, 'link'));
      await saveFile(streamOf(['new']), join(folder, 'link'));
      expect(await readFile(path, 'utf8')).toBe('new');
      expect((await stat(path)).mode & 0o777).toBe(mode);
      expect(await readdir(folder)).toEqual(['a.wav', 'link']);
    },
  );

  test('creates the file that a link leads to, and leaves the link', async () => {
    await mkdir(join(folder, 'real', 'sub'), { recursive: true });
    await symlink('real/sub', join(folder, 'short'));
    // Relative to the folder that the first link is in, which is itself reached through a link.
    await symlink('../second', join(folder, 'real', 'sub', 'first'));
    await symlink(join(folder, 'real', 'a.wav'), join(folder, 'real', 'second'));
    expect(await saveFile(streamOf(['new']), join(folder, 'short', 'first'))).toBe(3);
    expect(await readFile(join(folder, 'real', 'a.wav'), 'utf8')).toBe('new');
    expect(await readlink(join(folder, 'real', 'sub', 'first'))).toBe('../second');
    expect(await readdir(join(folder, 'real'))).toEqual(['a.wav', 'second', 'sub']);
  });

  test('refuses a link that leads to itself', async () => {
    await symlink('loop', join(folder, 'loop'));
    await expect(saveFile(streamOf(['new']), join(folder, 'loop'))).rejects.toMatchObject({ code: 'ELOOP' });
    expect(await readdir(folder)).toEqual(['loop']);
  });

  test('writes a file whose name is as long as a name may be', async () => {
    const path = join(folder, 'n'.repeat(255));
    expect(await saveFile(streamOf(['ab']), path)).toBe(2);
  });

  test('a process that is killed while it writes leaves the file that was there', async () => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'old');
    const source = new URL('../../../src/adapters/files.ts', import.meta.url);
    // The second piece never comes: the first one is written by then.
    const script = `import { saveFile } from ${JSON.stringify(source.href)};
      let pulls = 0;
      await saveFile(new ReadableStream({ pull: (controller) => {
        if (pulls++ === 0) { controller.enqueue(new Uint8Array(50_000)); return; }
        process.stdout.write('x');
        setInterval(() => undefined, 1_000);
        return new Promise(() => undefined);
      } }, { highWaterMark: 0 }), ${JSON.stringify(path)});`;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await closed;
    expect(await readFile(path, 'utf8')).toBe('old');
    expect((await readdir(folder)).map((name) => name.replace(/\.[\da-f-]{36}\./, '.'))).toEqual(
      expect.arrayContaining(['a.wav', 'a.wav.part']),
    );
  });

  test('a stream that fails leaves the file that was there, and nothing beside it', async () => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'old');
    const error = new Error('cut');
    await expect(saveFile(streamOf(['new'], { error }), path)).rejects.toBe(error);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.wav']);
  });

  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['a folder that does not exist', async () => undefined, /ENOENT/],
    ['a folder', (path) => mkdir(path, { recursive: true }), /is not a file/],
  ])('%s is refused, and the stream is cancelled', async (_name, prepare, message) => {
    const path = join(folder, 'missing', 'a.wav');
    await prepare(path);
    const state: { cancelled?: unknown } = {};
    await expect(saveFile(streamOf(['new'], state), path)).rejects.toThrow(message);
    expect(state.cancelled).toBeInstanceOf(Error);
  });

  test('a device is not replaced', async () => {
    await expect(saveFile(streamOf(['new']), '/dev/null')).rejects.toThrow('is not a file');
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ['a Response', new Response('text'), 'saveFile needs a ReadableStream, such as the `body` of a Response'],
    ['a string', 'text', 'saveFile needs a ReadableStream, such as the `body` of a Response'],
    [
      'a stream of strings',
      streamOf(['text']).pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>),
      'saveFile needs a stream of bytes, not of strings',
    ],
  ])('%s is refused, and nothing is left', async (_what, given, message) => {
    await expect(saveFile(given as ReadableStream, join(folder, 'a.wav'))).rejects.toThrow(
      new TypeError(message),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('a stream that somebody else reads is refused', async () => {
    const stream = streamOf(['text']);
    stream.getReader();
    await expect(saveFile(stream, join(folder, 'a.wav'))).rejects.toThrow(TypeError);
    expect(await readdir(folder)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)('a disk that is full is named with the path', async () => {
    const path = join(mountDisk(temporaryFolder()), 'a.wav');
    const failure = saveFile(streamOf(['x'.repeat(400_000)]), path);
    await expect(failure).rejects.toMatchObject({
      code: 'ENOSPC',
      message: `ENOSPC: no space left on device, write '${path}'`,
    });
  });

  test('the end of a content is refused', async () => {
    const stream = Object.assign(streamOf(['end']), { offset: 5 });
    await expect(saveFile(stream, join(folder, 'a.wav'))).rejects.toThrow('begins at byte 5');
  });

  test('a download that is cut leaves nothing', async () => {
    const server = await startRawServer((_request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('abc', () => setTimeout(() => response.destroy(), 5));
      return undefined;
    });
    onTestFinished(server.close);
    const { client } = connect(server.url);
    const stream = await client.request({ method: 'GET', path: 'x', as: 'stream' });
    await expect(saveFile(stream, join(folder, 'a.wav'))).rejects.toMatchObject({
      code: 'connection_failed',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
