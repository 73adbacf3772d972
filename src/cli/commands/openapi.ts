import { Command } from '@commander-js/extra-typings';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import { loadApi } from '../api-file.ts';
import { common, type OptionsOf } from '../arguments.ts';
import { type Io, writeResult } from '../io.ts';
import { urlsOf } from '../login.ts';

const formatDocument = async (document: OpenApiDocument, isYaml: boolean): Promise<string> => {
  if (!isYaml) return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = await import('js-yaml');
  // Anchors are valid YAML, but not every reader of OpenAPI takes them; folded lines make the diff of one
  // word longer.
  return dump(document, { noRefs: true, lineWidth: -1 });
};

const writeDocument = async (file: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  const { api, out, force = false, yaml = false, plainLists, fullResponses } = options;
  const declaration = await loadApi(file, api);
  const { baseUrl, authUrl } = urlsOf(options, io);
  const { toOpenApi } = await import('../../openapi/openapi.ts');
  const servers = baseUrl === undefined ? undefined : [{ url: baseUrl }];
  const document = toOpenApi(declaration, { servers, authUrl, plainLists, fullResponses });
  const content = await formatDocument(document, yaml);
  await writeResult(content, out, force, io);
};

const command = () =>
  new Command('openapi')
    .description('Write an OpenAPI 3.1 document of the API')
    .argument('<api-file>')
    .addOption(common.out)
    .addOption(common.force)
    .option('--yaml', 'write YAML instead of JSON')
    .option('--plain-lists', 'write query parameters that are lists as strings, joined with commas')
    .option('--full-responses', 'write full responses only, without the form that `fields` limits')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addHelpText(
      'after',
      '\nExample: npx restkin openapi ordering.ts --out openapi.json\n\nThe same declarations give the same document, so its diff shows the changes of the API.',
    );

export const openapiCommand = (io: Io) =>
  command().action((file, options) => writeDocument(file, options, io));
