// The public types as text, one file per entry. A change that nobody meant shows up as a difference in review.
// `node scripts/api-report.ts` fails when a report is out of date, with `--write` it is written.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('../', import.meta.url));
const write = process.argv.includes('--write');
mkdirSync(join(root, 'scripts/api'), { recursive: true });
const entries = [
  'index',
  'mocks',
  'sealed',
  'sqlite',
  'redis',
  'indexeddb',
  'files',
  'ky',
  'undici',
  'openapi',
  'doctor',
  'query',
];

const isCurrent = (entry: string): boolean => {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, `dist/${entry}.d.ts`),
      compiler: {
        overrideTsconfig: { compilerOptions: { module: 'nodenext', types: ['node'], skipLibCheck: true } },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: join(root, 'scripts/api'),
        reportTempFolder: join(root, 'node_modules/.cache/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        // The reference of `npm run docs` is what checks comments.
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  return result.succeeded && (write || !result.apiReportChanged);
};

const changed = entries.filter((entry) => !isCurrent(entry));
if (changed.length > 0) {
  console.error(`The public types changed: ${changed.join(', ')}. Look at them, then: npm run api:write`);
  process.exitCode = 1;
}
