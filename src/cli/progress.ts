import type { Observers, PagingProgress } from '../index.ts';
import type { Io, Output } from './io.ts';
import type { Format } from './output/formats.ts';

/** Reports on stderr what a client does. The events hold no secret, and their URLs are masked. */
export const observersOf = ({ err }: Io): Observers => {
  const say = (line: string): void => err.say(`${line}\n`);
  return {
    response: ({ method, url, status, durationMs }) =>
      say(`${method} ${url} ${status} in ${Math.round(durationMs)} ms`),
    retry: ({ error, delayMs }) => say(`${error}: next attempt in ${Math.round(delayMs)} ms`),
    token: ({ reason, grant }) => say(`token: ${reason}${grant === undefined ? '' : ` by ${grant}`}`),
    deprecation: ({ api, sunset }) =>
      say(`${api} is deprecated${sunset === undefined ? '' : `; it ends on ${sunset.toISOString()}`}`),
    drift: ({ reason }) => say(`the list changed while it was read: ${reason}`),
  };
};

/** A line on stderr that is rewritten in place; without `isShown`, it is never written. */
export const createStatusLine = (err: Output, isShown: boolean) => {
  let shown = '';
  const replace = async (status: string): Promise<void> => {
    if (!isShown || status === shown) return;
    const width = shown.length;
    shown = status;
    await err.write(`\r${status.padEnd(width)}`);
  };
  return {
    show: (status: string): void => void replace(status).catch(() => undefined),
    /** Erases the line, before something else is written to the terminal. */
    clear: async (): Promise<void> => {
      if (shown === '') return;
      await replace('');
      await err.write('\r');
      await err.flush();
    },
  };
};

const recordsOf = ({ records, totalCount }: PagingProgress): string =>
  totalCount === undefined ? `${records} records` : `${records} of ${totalCount} records`;

/**
 * Shows a person how far a list is read: a line on stderr that changes with each page. It is not shown where stderr is not a
 * terminal, or while records are written to the same terminal.
 */
export const createProgress = ({ out, err }: Io, { collects }: Format, isVerbose: boolean) => {
  const status = createStatusLine(err, err.isTerminal && !isVerbose && (collects || !out.isTerminal));
  let last: PagingProgress | undefined;
  return {
    onPage: (progress: PagingProgress): void => {
      last = progress;
      status.show(`page ${progress.pages}, ${recordsOf(progress)}`);
    },
    clear: status.clear,
    /** Reports how many records were written. */
    end: async (written: number): Promise<void> => {
      if (last === undefined || !err.isTerminal) return;
      // After the records, when both go to the same terminal.
      await out.flush();
      const isPart = written < (last.totalCount ?? 0);
      await err.write(
        `${recordsOf({ ...last, records: written })}${isPart ? '; --all reads every one' : ''}\n`,
      );
    },
  };
};
