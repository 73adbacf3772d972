// Run with --expose-gc: reads a whole list and prints how much the heap grew from the first tenth to the end.
import { collection, createClient, defineApi, resource, tokenAuth } from '../../../src/index.ts';

const [url = '', count = '0'] = process.argv.slice(2);
const { gc } = globalThis as { readonly gc?: () => void };

const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', resource({}), { paging: true }) },
});
const { things } = createClient({
  baseUrl: url,
  auth: tokenAuth({ authUrl: url, username: 'ada', password: 'lovelace' }),
}).api(inventory);

const heapUsed = (): number => {
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
};

let read = 0;
let start = 0;
for await (const { id } of things.list()) {
  read++;
  if (id !== read) throw new Error(`Record ${read} has the id ${id}`);
  if (read === Number(count) / 10) start = heapUsed();
}
process.stdout.write(JSON.stringify({ read, grownBytes: heapUsed() - start }));
