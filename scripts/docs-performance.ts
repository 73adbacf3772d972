// Writes the figures of docs/performance.md, and its picture, from bench/RESULTS.md.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const project = new URL('../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, project), 'utf8');

/** A row of a measurement: its value, and its ratio to the reference. */
interface Figure {
  readonly value: number;
  readonly ratio: string;
}

/** The rows of one measurement, by the name of the peer. */
const figuresOf = (results: string, title: string): ReadonlyMap<string, Figure> => {
  const section = results.split(/^### /m).find((part) => part.startsWith(title));
  if (section === undefined) throw new Error(`bench/RESULTS.md has no measurement "${title}"`);
  return new Map(
    [...section.matchAll(/^\| ([\w@-]+) \| ([\d.]+) \| ([\d.]+)/gm)].map(
      ([, peer = '', value, ratio = '']) => [peer, { value: Number(value), ratio: Number(ratio).toFixed(2) }],
    ),
  );
};

const single = 'GET of one resource, one after the other: CPU';
const parallel = 'GET of one resource, 50 in flight: CPU';
const records = '100,000 records (half of them with --quick), 100 a page, `for await`: CPU';
const pages = '100 pages that answer after 20 ms: time';

const peers = [
  ['undici-request', 'undici request'],
  ['restkin-undici', 'restkin over undici'],
  ['fetch', 'fetch'],
  ['ofetch', 'ofetch'],
  ['openapi-fetch', 'openapi-fetch'],
  ['octokit', 'octokit'],
  ['ky', 'ky'],
  ['restkin', 'restkin'],
  ['axios', 'axios'],
] as const;

const rowHeight = 28;
const widest = 460;

/** A bar for each peer, the shortest first. */
export const makePicture = (results: string): string => {
  const figures = figuresOf(results, parallel);
  const bars = peers
    .map(([peer, name]) => ({ name, value: figures.get(peer)?.value ?? 0 }))
    .sort((a, b) => a.value - b.value);
  const most = Math.max(...bars.map(({ value }) => value));
  const height = 60 + bars.length * rowHeight;
  const rows = bars.map(({ name, value }, index) => {
    const y = 44 + index * rowHeight;
    const width = Math.round((value * widest) / most);
    const color = name.startsWith('restkin') ? '#2563eb' : '#94a3b8';
    return `  <text x="160" y="${y + 15}" text-anchor="end" fill="#0f172a">${name}</text>
  <rect x="170" y="${y}" width="${width}" height="20" rx="3" fill="${color}"/>
  <text x="${178 + width}" y="${y + 15}" fill="#475569">${Math.round(value)}</text>
`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 ${height}" width="700" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">
  <title id="title">CPU time of a GET with 50 requests in flight, in microseconds</title>
  <rect width="700" height="${height}" rx="8" fill="#ffffff"/>
  <text x="20" y="28" fill="#0f172a" font-weight="600">CPU time of a GET, 50 requests in flight (µs, less is better)</text>
${rows.join('')}</svg>
`;
};

const compared = ['restkin', 'restkin-undici', 'axios', 'octokit'] as const;

/** The tables of the guide. */
const makeTables = (results: string): string => {
  const row = (name: string, title: string): string => {
    const figures = figuresOf(results, title);
    return `| ${name} | ${compared.map((peer) => figures.get(peer)?.ratio).join(' | ')} |`;
  };
  const times = figuresOf(results, pages);
  const seconds = ['restkin@1', 'restkin', 'restkin@8'].map((peer) =>
    ((times.get(peer)?.value ?? 0) / 1_000).toFixed(1),
  );
  return `| CPU time, as a ratio to \`fetch\` | restkin | restkin over undici | axios | octokit |
|---|---|---|---|---|
${row('GET, 50 requests in flight', parallel)}
${row('GET, one after the other', single)}
${row('100,000 records, 100 a page', records)}

| \`concurrency\` of a list | 1 | 2 (default) | 8 |
|---|---|---|---|
| 100 pages of 20 ms each | ${seconds.map((time) => `${time} s`).join(' | ')} |
`;
};

const marked = /(?<=<!-- figures -->\n)[\s\S]*?(?=<!-- end of figures -->)/;

/** The guide with the figures of these results. */
export const withFigures = (guide: string, results: string): string =>
  guide.replace(marked, () => `\n${makeTables(results)}\n`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const results = await read('bench/RESULTS.md');
  await writeFile(new URL('docs/performance.svg', project), makePicture(results));
  await writeFile(
    new URL('docs/performance.md', project),
    withFigures(await read('docs/performance.md'), results),
  );
}
