// Run with --expose-gc: reads a whole list and prints how much the heap grew from the first tenth to the last
// record, before the end of the list frees what it kept.
import { collection, createClient, defineApi, resource, type Trace, tokenAuth } from '../../../src/index.ts';

const [url = '', count = '0', traced] = process.argv.slice(2);
const { gc } = globalThis as { readonly gc?: () => void };

const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', resource({}), { paging: true }) },
});
const trace: Trace | undefined = traced === 'traced' ? (_operation, run) => run() : undefined;
const { things } = createClient({
  baseUrl: url,
  trace,
  auth: tokenAuth({ authUrl: url, username: 'ada', password: 'lovelace' }),
}).api(inventory);

const heapUsed = (): number => {
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
};

let read = 0;
let start = 0;
let end = 0;
for await (const { id } of things.list()) {
  read++;
  if (id !== read) throw new Error(`Record ${read} has the id ${id}`);
  if (read === Number(count) / 10) start = heapUsed();
  if (read === Number(count)) end = heapUsed();
}
process.stdout.write(JSON.stringify({ read, grownBytes: end - start }));
