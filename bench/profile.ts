// Where a scenario spends its time: node bench/profile.ts <scenario> <peer> [--dist=dist] [--lines=25]
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProcesses, here } from './build.ts';
import { toTask } from './compare.ts';
import { listen, measure } from './processes.ts';
import { summarize } from './profile-summary.ts';
import { scenarios } from './scenarios.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: join(here, '..', 'dist') },
    lines: { type: 'string', default: '25' },
  },
});
const [name = 'sequential', peer = 'restkin'] = positionals;
const scenario = scenarios.find((known) => known.name === name);
if (scenario === undefined) throw new Error(`No scenario is called ${name}`);

await buildProcesses(values.dist);
const folder = await mkdtemp(join(tmpdir(), 'restkin-bench-'));
try {
  await using server = await listen('server');
  const profile = join(folder, 'profile.cpuprofile');
  const { read = 0 } = await measure({ ...toTask(scenario, peer, server.origin, false), profile });
  console.log(`${scenario.title}: ${peer}`);
  console.log(await summarize(await readFile(profile, 'utf8'), read, Number(values.lines)));
} finally {
  await rm(folder, { recursive: true });
}
