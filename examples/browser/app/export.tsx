// Reads the whole list with its progress; it can be stopped, and continues where it stopped.
import { useRef, useState } from 'react';
import { saveFile } from './files.ts';
import { toProblem } from './problem.ts';
import type { Session } from './session.ts';

const columns = ['id', 'createdAt', 'status'] as const;

export const Export = ({ client }: { readonly client: Session['client'] }) => {
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'done'>('idle');
  const [count, setCount] = useState({ read: 0, total: 0 });
  const [problem, setProblem] = useState('');
  const lines = useRef<string[]>([]);
  const next = useRef<string>(undefined);
  const stop = useRef(new AbortController());

  const run = async (): Promise<void> => {
    stop.current = new AbortController();
    setState('running');
    setProblem('');
    const list = client.list({
      sort: ['-createdAt'],
      fields: ['createdAt', 'status'],
      perPage: 50,
      from: next.current,
      signal: stop.current.signal,
      onPage: ({ records, totalCount = 0 }) => setCount({ read: records, total: totalCount }),
    });
    try {
      for await (const page of list.pages()) {
        for (const order of page.items) lines.current.push(columns.map((name) => order[name]).join());
        next.current = page.next;
      }
      setCount({ read: lines.current.length, total: lines.current.length });
      setState('done');
    } catch (error) {
      if (!stop.current.signal.aborted) setProblem(toProblem(error));
      setState('stopped');
    }
  };
  const download = (): void => {
    const text = [columns.join(), ...lines.current].join('\n');
    saveFile('orders.csv', new Blob([text], { type: 'text/csv' }));
  };

  return (
    <section className="export" aria-label="Export">
      {state === 'running' ? (
        <button type="button" className="plain" onClick={() => stop.current.abort()}>
          Stop
        </button>
      ) : state === 'done' ? (
        <button type="button" className="plain" onClick={download}>
          Download
        </button>
      ) : (
        <button type="button" className="plain" onClick={() => void run()}>
          {state === 'idle' ? 'Export all orders' : 'Continue'}
        </button>
      )}
      {state !== 'idle' && (
        <>
          <progress value={count.read} max={Math.max(count.total, 1)} />
          <output>
            {count.read.toLocaleString('en')} of {count.total.toLocaleString('en')}
          </output>
        </>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
    </section>
  );
};
