import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import type { Around } from './workloads.ts';

const intervalUs = 100;

/**
 * Writes a CPU profile of what happens between `begin` and `end`, without the start of the process and its
 * warm-up.
 */
export const profiling = (path: string): Around => {
  const session = new Session();
  return {
    begin: async () => {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: intervalUs });
      await session.post('Profiler.start');
    },
    end: async () => {
      const { profile } = await session.post('Profiler.stop');
      writeFileSync(path, JSON.stringify(profile));
      session.disconnect();
    },
  };
};
