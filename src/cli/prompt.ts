import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';
import { stoppedBy } from './stopped.ts';

/** Asks a person, on a terminal. */
export interface Prompt {
  /** @param hidden - what is typed is not shown */
  ask(question: string, hidden?: boolean): Promise<string>;
  close(): void;
}

/** True when there is a person to ask: the questions go to stderr, since stdout is for data. */
export const canAsk = ({ input, err }: Io): boolean => input.isTTY === true && err.isTerminal;

/**
 * Opens the terminal for questions. One interface for all of them: what was typed ahead belongs to the next one.
 *
 * Ctrl-C ends the command, as its signal does everywhere else; the end of the input gives an empty answer.
 */
export const openPrompt = ({ input, err, signal }: Io): Prompt => {
  let hidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // While a password is typed, the echo goes nowhere.
      if (!hidden) void err.write(chunk.toString()).catch(() => undefined);
      // At once, so that each text is judged when it is written: the question is shown, its answer is not.
      done();
    },
  });
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const typedAhead: string[] = [];
  let take = (line: string): void => void typedAhead.push(line);
  lines.on('line', (line) => {
    // What follows a line in one piece, as when both are pasted, may be the password.
    hidden = true;
    take(line);
  });
  let isClosed = false;
  lines.once('close', () => {
    isClosed = true;
    take('');
  });
  return {
    ask: (question, isHidden = false) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          take = (line) => void typedAhead.push(line);
          signal.removeEventListener('abort', onAbort);
          lines.removeAllListeners('SIGINT');
          // Nobody else ends the line on which nothing was shown.
          if (isHidden) void err.write('\n').then(settle, reject);
          else settle();
        };
        const onAbort = (): void => end(() => reject(signal.reason));
        const ahead = typedAhead.shift() ?? (isClosed ? '' : undefined);
        hidden = isHidden || ahead !== undefined;
        // Not by `lines`, which would show what of the answer is there already.
        void err.write(isHidden || ahead === undefined ? question : `${question}\n`).catch(() => undefined);
        if (ahead !== undefined) {
          end(() => resolve(ahead));
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        lines.once('SIGINT', () => end(() => reject(stoppedBy('SIGINT'))));
        take = (line) => end(() => resolve(line));
        lines.setPrompt(isHidden ? '' : question);
      }),
    close: () => lines.close(),
  };
};
