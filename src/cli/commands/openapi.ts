import { Command } from '@commander-js/extra-typings';
import type { ApiDeclaration } from '../../index.ts';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import { isObject } from '../../options.ts';
import { loadApi } from '../api-file.ts';
import { common, type OptionsOf } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, writeResult } from '../io.ts';
import { schemesOf, urlsOf } from '../login.ts';

const formatDocument = async (document: OpenApiDocument, isYaml: boolean): Promise<string> => {
  if (!isYaml) return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = await import('js-yaml');
  // Anchors are valid YAML, but not every reader of OpenAPI takes them; folded lines make the diff of one
  // word longer.
  return dump(document, { noRefs: true, lineWidth: -1 });
};

/**
 * The schemes of the API's own, each a key in a header.
 *
 * @throws {@link UsageError} where there is one, and no header
 */
const ownSchemesOf = (api: ApiDeclaration, name: string | undefined) => {
  const own = schemesOf(api).filter((scheme) => scheme !== 'token' && scheme !== 'basic');
  if (own.length > 0 && name === undefined)
    throw new UsageError(
      `The API ${api.name} has its own authentication scheme; give the name of its header: --api-key-header X-Api-Key, or --no-auth if it takes no login`,
    );
  return Object.fromEntries(own.map((scheme) => [scheme, { type: 'apiKey', in: 'header', name }]));
};

/** The document of an API without a login, which the schemes of its declaration send nothing for. */
const withoutAuth = (document: OpenApiDocument): OpenApiDocument => {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    // Beside its operations a path may have parameters, a family and the name of a key.
    const parts = Object.entries(item).map(([name, part]) => [
      name,
      isObject(part) && 'security' in part ? { ...part, security: [] } : part,
    ]);
    return [path, Object.fromEntries(parts)];
  });
  const components = { ...document.components, securitySchemes: {} };
  return { ...document, paths: Object.fromEntries(paths), components };
};

const writeDocument = async (file: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  const { api, auth, out, force = false, yaml = false, plainLists, fullResponses, apiKeyHeader } = options;
  if (!auth && apiKeyHeader !== undefined)
    throw new UsageError('Give --no-auth or --api-key-header, not both');
  const declaration = await loadApi(file, api);
  const { baseUrl, authUrl } = urlsOf(options, io);
  const { toOpenApi } = await import('../../openapi/openapi.ts');
  const servers = baseUrl === undefined ? undefined : [{ url: baseUrl }];
  const securitySchemes = ownSchemesOf(declaration, auth ? apiKeyHeader : 'none');
  const document = toOpenApi(declaration, { servers, authUrl, plainLists, fullResponses, securitySchemes });
  const content = await formatDocument(auth ? document : withoutAuth(document), yaml);
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
    .option('--api-key-header <name>', "the header that a scheme of the API's own takes: X-Api-Key")
    .option('--no-auth', 'describe an API without a login, which sends no credentials')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addHelpText(
      'after',
      '\nExample: npx restkin openapi ordering.ts --out openapi.json\n\nThe same declarations give the same document, so its diff shows the changes of the API.',
    );

export const openapiCommand = (io: Io) =>
  command().action((file, options) => writeDocument(file, options, io));
