import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { start } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace.remove());

let served: Served;
afterEach(() => served.server.close());

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
    served.env,
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
