import { Command, Option } from '@commander-js/extra-typings';
import type { OpenApiDocument, SecuritySchemes } from '../../openapi/openapi.ts';
import { loadApi } from '../api-file.ts';
import { common, findUrl, type OptionsOf, several, single } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, writeContent } from '../io.ts';

/** The API keys of `--security-scheme`, by their names in the declaration. */
const readSchemes = (values: readonly string[] = []): SecuritySchemes =>
  Object.fromEntries(
    values.map((value) => {
      const [, scheme, place, name] = /^([^=]+)=(header|query|cookie):(.+)$/.exec(value) ?? [];
      if (scheme !== undefined) return [scheme, { type: 'apiKey', in: place, name }];
      throw new UsageError(
        '--security-scheme needs a name and where the key is: --security-scheme apiKey=header:X-Api-Key',
      );
    }),
  );

const formatDocument = async (document: OpenApiDocument, isYaml: boolean): Promise<string> => {
  if (!isYaml) return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = await import('js-yaml');
  // Anchors are valid YAML, but not every reader of OpenAPI takes them; folded lines make the diff of one word longer.
  return dump(document, { noRefs: true, lineWidth: -1 });
};

const writeDocument = async (file: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  const { api, output, yaml = false, plainLists = false, fullResponses = false } = options;
  const declaration = await loadApi(file, api);
  const baseUrl = findUrl('baseUrl', options, io);
  const authUrl = findUrl('authUrl', options, io);
  const { toOpenApi } = await import('../../openapi/openapi.ts');
  const document = toOpenApi(declaration, {
    ...(baseUrl !== undefined && { servers: [{ url: baseUrl }] }),
    ...(authUrl !== undefined && { authUrl }),
    securitySchemes: readSchemes(options.securityScheme),
    plainLists,
    fullResponses,
  });
  const content = await formatDocument(document, yaml);
  if (output === undefined) await io.out.write(content);
  else await writeContent(output, content);
};

const command = () =>
  new Command('openapi')
    .description('Write an OpenAPI 3.1 document of the API')
    .argument('<api-file>')
    .addOption(single('--output <file>', 'the file to write; by default the document is printed'))
    .addOption(new Option('--yaml', 'write YAML instead of JSON'))
    .addOption(new Option('--plain-lists', 'write lists in a query as strings that are joined with commas'))
    .addOption(new Option('--full-responses', 'write responses in full only, without what `fields` omits'))
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(
      several(
        '--security-scheme <name=in:key>',
        "the API's own scheme: apiKey=header:X-Api-Key, query:…, cookie:…",
      ),
    )
    .addHelpText(
      'after',
      '\nThe same declarations give the same document, so its diff shows the changes of the API.',
    );

export const openapiCommand = (io: Io) =>
  command().action((file, options) => writeDocument(file, options, io));
