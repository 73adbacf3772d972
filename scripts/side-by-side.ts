// Runs scripts of package.json beside each other, one for each core, and prints what each of them wrote when
// it has ended: `node scripts/side-by-side.ts check:style check:types`. It waits for all of them, and fails
// if one of them does.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';

const waiting = process.argv.slice(2);

const run = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const begin = performance.now();
    const output: Buffer[] = [];
    const script = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    script.stdout.on('data', (part: Buffer) => output.push(part));
    script.stderr.on('data', (part: Buffer) => output.push(part));
    script.once('error', reject);
    script.once('close', (code) => {
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
      console.log(`== npm run ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });

const work = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    if (!(await run(name))) process.exitCode = 1;
};

await Promise.all(Array.from({ length: availableParallelism() }, work));
