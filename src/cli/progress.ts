import type { Observers, PagingProgress } from '../index.ts';
import type { Io } from './io.ts';
import type { Format } from './output/formats.ts';

/** Reports on stderr what a client does. The events hold no secret, and their URLs are masked. */
export const observersOf = ({ err }: Io): Observers => {
  const say = (line: string): void => void err.write(`${line}\n`).catch(() => undefined);
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

/** Shows a person how far a list is read. */
export interface Progress {
  readonly onPage: (progress: PagingProgress) => void;
  /** Erases the line, before something else is written to the terminal. */
  clear(): Promise<void>;
  /** Reports how many records were written. */
  end(written: number): Promise<void>;
}

const recordsOf = ({ records, totalCount }: PagingProgress): string =>
  totalCount === undefined ? `${records} records` : `${records} of ${totalCount} records`;

/**
 * A line on stderr that changes with each page. There is none where stderr is no terminal, or while records are written
 * to the same terminal.
 */
export const createProgress = ({ out, err }: Io, { collects }: Format, isVerbose: boolean): Progress => {
  const changes = err.isTerminal && !isVerbose && (collects || !out.isTerminal);
  let last: PagingProgress | undefined;
  let shown = 0;
  const show = (status: string): Promise<void> => {
    const line = `\r${status.padEnd(shown)}`;
    shown = status.length;
    return err.write(line);
  };
  return {
    onPage: (progress) => {
      last = progress;
      if (changes) void show(`page ${progress.pages}, ${recordsOf(progress)}`).catch(() => undefined);
    },
    clear: async () => {
      if (shown === 0) return;
      await show('');
      await err.write('\r');
      await err.flush();
    },
    end: async (written) => {
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
