import type { PagingProgress } from '../index.ts';
import type { Io } from './io.ts';
import type { Format } from './output/format.ts';

/** Tells a person how far a list has come. */
export interface Progress {
  readonly onPage: (progress: PagingProgress) => void;
  /** Takes the line away, before something else is written to the terminal. */
  clear(): Promise<void>;
  /** Says what came of it. */
  end(written: number): Promise<void>;
}

const recordsOf = ({ records, totalCount }: PagingProgress): string =>
  totalCount === undefined ? `${records} records` : `${records} of ${totalCount} records`;

/**
 * A line on stderr that changes with each page. Nothing where stderr is no terminal, and none while records are written
 * to the same terminal.
 */
export const createProgress = ({ out, err }: Io, { collects }: Format, isVerbose: boolean): Progress => {
  const changes = err.isTerminal && !isVerbose && (collects || !out.isTerminal);
  let last: PagingProgress | undefined;
  let shown = 0;
  const show = (text: string): Promise<void> => {
    const line = `\r${text.padEnd(shown)}`;
    shown = text.length;
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
      // Behind the records, when both go to the same terminal.
      await out.flush();
      const isPart = written < (last.totalCount ?? 0);
      await err.write(
        `${recordsOf({ ...last, records: written })}${isPart ? '; --all reads every one' : ''}\n`,
      );
    },
  };
};
