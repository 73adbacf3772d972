import { tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { toParameterName } from './identifiers.ts';
import { type Json, objectAt, stringAt } from './json.ts';
import type { Operation } from './operations.ts';

/** Where an operation is in the terms of the conventions (§9): `{base}/v<major>/<path>`. */
export interface Place {
  /** The part of the path before the major version. */
  readonly prefix: string;
  readonly version: number;
  /** The path of the collection, with `:name` for a parameter; undefined when it cannot be one. */
  readonly path: string | undefined;
  readonly isOfOne: boolean;
  /** The API and the collection, where a tag names them as `restkin openapi` writes it. */
  readonly names: { readonly api: string; readonly collection: string } | undefined;
}

const parameterOf = (segment: string): string | undefined => /^\{([^{}]+)\}$/.exec(segment)?.[1];

const staticSegment = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;

/** The path of a collection as `collection()` takes it; undefined when a segment is only partly a parameter. */
const toCollectionPath = (segments: readonly string[]): string | undefined => {
  const claim = createClaim();
  const parts = segments.map((segment) => {
    const name = parameterOf(segment);
    if (name === undefined) return staticSegment.test(segment) ? segment : undefined;
    return `:${claim(/^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name))}`;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('/');
};

const namesIn = (tags: readonly string[], version: number): Place['names'] => {
  for (const tag of tags) {
    const [, api = '', major, collection = ''] = /^(.+) v(\d+): (.+)$/.exec(tag) ?? [];
    if (Number(major) === version) return { api, collection };
  }
  return undefined;
};

const originPattern = /^(?:[\w{}+.-]+:)?\/\/[^/]*/;

/** The path of a server's URL, which may be relative and may have variables. */
export const pathOfServer = (server = ''): string =>
  server.replace(originPattern, '').replace(/(?<!\/)\/+$/, '');

/** The URL of a server without its path; empty for a relative one. */
export const originOfServer = (server = ''): string => originPattern.exec(server)?.[0] ?? '';

/** Where an operation is; undefined without a major version in its path (§9). */
export const placeOf = ({ path, tags }: Operation, server: string | undefined): Place | undefined => {
  const [, prefix = '', digits, rest] =
    new RegExp(`^(.*?)/${versionPrefix}(\\d{1,9})/(.+)$`).exec(pathOfServer(server) + path) ?? [];
  if (digits === undefined || rest === undefined) return undefined;
  const segments = rest.split('/');
  const isOfOne = parameterOf(segments.at(-1) ?? '') !== undefined;
  const version = Number(digits);
  return {
    prefix,
    version,
    path: toCollectionPath(isOfOne ? segments.slice(0, -1) : segments),
    isOfOne,
    names: namesIn(tags, version),
  };
};

/** True for the token endpoint, which every client calls by itself (§4.1). */
export const isTokenEndpoint = ({ method, path }: Operation): boolean =>
  method === 'POST' && path.endsWith(`/${tokenPath}`);

/** True for a request for the methods of a path, which every collection has (§4.2). */
export const isMethodsRequest = ({ method, responses }: Operation): boolean =>
  method === 'OPTIONS' && responses.every(({ contents }) => contents.length === 0);

/** The names of §5 for the schemes of a document; any other scheme keeps its name. */
export const schemeNames = (document: Json): ((name: string) => string) => {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  return (name) => {
    const scheme = objectAt(schemes, name);
    const kind = stringAt(scheme, 'scheme')?.toLowerCase();
    if (scheme.type === 'http' && kind === 'basic') return 'basic';
    const hasPasswords = scheme.type === 'oauth2' && Object.hasOwn(objectAt(scheme, 'flows'), 'password');
    return (scheme.type === 'http' && kind === 'bearer') || hasPasswords ? 'token' : name;
  };
};
