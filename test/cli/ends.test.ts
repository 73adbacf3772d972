import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main, run, start } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace.remove());

let served: Served | undefined;
afterEach(async () => {
  await served?.server.close();
  served = undefined;
});

const createGate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
};

/** Serves a list whose second page waits until it is released, and whose third page never comes. */
const serveHeld = async () => {
  const [second, asked, aborted] = [createGate(), createGate(), createGate()];
  served = await serveOrdering((respond) => async (request) => {
    const page = new URL(request.url).searchParams.get('page');
    if (page === '2') await second.passed;
    if (page === '3') {
      request.signal.addEventListener('abort', aborted.open);
      asked.open();
      await aborted.passed;
    }
    return respond(request);
  });
  return { release: second.open, asked: asked.passed, aborted: aborted.passed };
};

const list = (output: string) =>
  start(
    ['get', './api.ts', 'orders', '--all', '--per-page=2', `--output=${output}`],
    workspace.folder,
    served?.env,
  );

describe('when the reader of the output is gone', () => {
  test.for(['ndjson', 'json'])('%s stops fetching, and ends with 141 and no message', async (output) => {
    const { release } = await serveHeld();
    const { child, finished, written } = list(output);
    await written('orders/2');
    child.stdout?.destroy();
    // The second page meets the closed pipe, and the third is not waited for.
    release();
    expect(await finished).toMatchObject({ code: 141, stderr: '' });
  });
});

describe('a signal', () => {
  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a long list with %i, and its requests on the way', async ([signal, code]) => {
    const { release, asked, aborted } = await serveHeld();
    release();
    const { child, finished, written } = list('ndjson');
    await Promise.all([written('orders/4'), asked]);
    child.kill(signal);
    await aborted;
    const { stdout, ...rest } = await finished;
    expect(rest).toEqual({ code, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2, 3, 4]);
  });
});

test.each(['kept.csv', 'kept.ndjson'])(
  'a signal leaves no file for a list that is not whole: %s',
  async (file) => {
    const { release, asked, aborted } = await serveHeld();
    release();
    const before = await readdir(workspace.folder);
    const { child, finished } = list(`./${file}`);
    await asked;
    child.kill('SIGINT');
    await aborted;
    expect(await finished).toEqual({ code: 130, stdout: '', stderr: '' });
    expect((await readdir(workspace.folder)).filter((name) => !before.includes(name))).toEqual([]);
  },
);

/** Writes an API file whose top-level code does more than to declare the API. */
const writeApi = (name: string, code: string): Promise<void> =>
  workspace.write(name, `export { ordering } from './api.ts';\n${code}\n`);

describe('an API file that leaves a timer and a server open', () => {
  beforeAll(() =>
    writeApi(
      'open.ts',
      `import { createServer } from 'node:net';
       setInterval(() => undefined, 1_000);
       createServer().listen(0, '127.0.0.1');`,
    ),
  );

  test('does not keep a command alive whose work is done', async () => {
    served = await serveOrdering();
    const { code, stdout } = await run(['get', './open.ts', 'orders/2'], workspace.folder, served.env);
    expect({ code, record: JSON.parse(stdout) }).toEqual({
      code: 0,
      record: expect.objectContaining({ id: 2 }),
    });
    const refused = await run(['get', './open.ts', 'nothing'], workspace.folder, served.env);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no collection at this path') });
  });

  test('loses no output to a slow reader', async () => {
    // Much more than a pipe takes before it is read.
    await writeApi(
      'large.ts',
      `import { ordering } from './open.ts';
       const { orders } = ordering.collections;
       const paths = Array.from({ length: 500 }, (_, index) => \`orders\${index}\`);
       const collections = Object.fromEntries(paths.map((path) => [path, { ...orders, path }]));
       export const large = { ...ordering, name: 'large', collections };`,
    );
    const { child, finished } = start(['openapi', './large.ts', '--api=large'], workspace.folder);
    child.stdout?.pause();
    // Nothing shows that the pipe is full: it is given some time.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    child.stdout?.resume();
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(500_000);
    expect(Object.keys(JSON.parse(stdout).paths)).toContain('/v1/orders499');
  });

  test('is served by a mock until a signal stops it', async () => {
    const { child, finished, written } = start(['mock', './open.ts', '--port=0'], workspace.folder);
    await written('Stop with Ctrl-C.');
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an API file whose top-level code waits', () => {
  test('is ended by a signal', async () => {
    await writeApi(
      'waits.ts',
      "console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 1e9));",
    );
    const { child, finished, written } = start(['openapi', './waits.ts'], workspace.folder);
    await written('loading');
    child.kill('SIGTERM');
    expect(await finished).toEqual({ code: 143, stdout: 'loading\n', stderr: '' });
  });

  test('cannot be loaded if it waits forever', async () => {
    await writeApi('never.ts', 'await new Promise(() => undefined);');
    expect(await run(['openapi', './never.ts'], workspace.folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'restkin: ./never.ts cannot be loaded: its top-level `await` never ends\n',
    });
  });
});

test('a signal ends a doctor that waits for the token endpoint, without a report', async () => {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = createServer(() => ask());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'p4ss' };
  const args = ['doctor', './api.ts', `--base-url=${url}`, `--auth-url=${url}`];
  const { child, finished } = start(args, workspace.folder, env);
  await asked;
  child.kill('SIGINT');
  expect(await finished).toEqual({ code: 130, stdout: '', stderr: '' });
}, 30_000);

// `script`, which gives a command a terminal, has other options elsewhere.
describe.skipIf(process.platform !== 'linux')(
  'on a terminal that shows the question for the password',
  () => {
    /** Runs login on a terminal up to its question, and then prints how it ended and the state of the terminal. */
    const logIn = async () => {
      const login = `sh -c 'echo "pid $$"; exec "$0" "$@"' '${process.execPath}' '${main}' login ./api.ts`;
      const shown = `${login} --auth-url=http://127.0.0.1:1; echo "ended with $?"; stty -a`;
      const child = spawn('script', ['-qec', shown, '/dev/null'], {
        cwd: workspace.folder,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: workspace.folder,
          SHELL: '/bin/sh',
          RESTKIN_USERNAME: 'ada',
        },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let screen = '';
      const asked = new Promise<void>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (part: string) => {
          screen += part;
          if (screen.includes('Password of ada: ')) resolve();
        });
      });
      const finished = new Promise<string>((resolve) => child.once('close', () => resolve(screen)));
      await Promise.race([asked, finished]);
      return { input: child.stdin, pid: Number(/pid (\d+)/.exec(screen)?.[1]), finished };
    };

    test.each([
      ['Ctrl-C', 130],
      ['SIGTERM', 143],
    ])('%s ends the command with %i, and the terminal echoes again', async (what, code) => {
      const { input, pid, finished } = await logIn();
      // Nothing is typed before SIGTERM: the terminal may get it after the command has ended, and echoes it then.
      if (what === 'Ctrl-C') input.write('s3cr\u0003');
      else process.kill(pid, 'SIGTERM');
      const screen = await finished;
      expect(screen).toMatch(new RegExp(`Password of ada: \\r\\nended with ${code}\\r\\n`));
      expect(screen).toMatch(/ icanon .* echo /s);
      expect(screen).not.toContain('s3cr');
    });
  },
);
