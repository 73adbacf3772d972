import { writeFile } from 'node:fs/promises';
import { Command, Option } from '@commander-js/extra-typings';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import { authUrlOf, baseUrlOf, common, single } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { loadApi, loadApis } from '../target.ts';

interface OpenapiCommandOptions {
  readonly output?: string | undefined;
  readonly yaml?: true | undefined;
  readonly title?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly api?: string | undefined;
}

const formatDocument = async (document: OpenApiDocument, isYaml: boolean): Promise<string> => {
  if (!isYaml) return `${JSON.stringify(document, null, 2)}\n`;
  const { stringify } = await import('yaml');
  // Anchors are valid YAML, but not every reader of OpenAPI takes them; folded lines make the diff of one word longer.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
};

const writeOutput = async (file: string, content: string): Promise<void> => {
  try {
    await writeFile(file, content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be written: ${code ?? 'unknown reason'}`);
  }
};

const writeDocument = async (file: string, options: OpenapiCommandOptions, io: Io): Promise<void> => {
  const { api, title, output, yaml = false } = options;
  const apis = api === undefined ? [...new Set((await loadApis(file)).values())] : [await loadApi(file, api)];
  const hasServer = options.baseUrl !== undefined || Boolean(io.env.RESTKIN_BASE_URL);
  const authUrl = authUrlOf(options, io);
  const { toOpenApi } = await import('../../openapi/openapi.ts');
  const document = toOpenApi(apis, {
    ...(title !== undefined && { info: { title } }),
    ...(hasServer && { servers: [{ url: baseUrlOf(options, io) }] }),
    ...(authUrl !== undefined && { authUrl }),
  });
  const content = await formatDocument(document, yaml);
  if (output === undefined) await io.out.write(content);
  else await writeOutput(output, content);
};

/** Writes an OpenAPI document of the declarations of a file. */
export const openapiCommand = (io: Io) =>
  new Command('openapi')
    .description('Write an OpenAPI 3.1 document of the API')
    .argument('<api-file>')
    .addOption(single('--output <file>', 'the file to write; by default the document is printed'))
    .addOption(new Option('--yaml', 'write YAML instead of JSON'))
    .addOption(single('--title <title>', 'the title of the document; by default the names of the APIs'))
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(single('--api <name>', 'the export to write; by default every declaration of the file'))
    .addHelpText(
      'after',
      '\nThe same declarations give the same document, so that its diff is the change of the API.',
    )
    .action((file, options) => writeDocument(file, options, io));
