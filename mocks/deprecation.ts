import { header } from '../src/conventions.ts';
import { type ApiDeclaration, pathOf } from '../src/schema/define-api.ts';
import type { MockDeprecation } from './options.ts';

/**
 * For a URL of an API below `base`: a change that adds the header fields of a deprecated major to a response
 * (§9.4). Undefined for any other major.
 */
export type Deprecate = (
  api: ApiDeclaration,
  base: string,
  url: URL,
) => ((headers: Headers) => void) | undefined;

/** @param deprecation - of the mock; undefined when no major is deprecated */
export const createDeprecate =
  (apis: readonly ApiDeclaration[], deprecation: MockDeprecation | undefined): Deprecate =>
  (api, base, url) => {
    const majors = apis.filter(({ name }) => name === api.name).toSorted((a, b) => b.version - a.version);
    const [newest = api] = majors;
    if (deprecation === undefined || (api === newest && majors.length > 1)) return undefined;
    const { since, sunset } = deprecation;
    return (headers) => {
      // RFC 9745 §2.1: a structured field date, in seconds.
      if (since) headers.set(header.deprecation, `@${Math.floor(since.getTime() / 1000)}`);
      if (sunset) headers.set(header.sunset, sunset.toUTCString());
      if (api === newest) return;
      const segments = (url.origin + url.pathname).slice(base.length + 1).split('/');
      const path = segments.slice(pathOf(api, '').split('/').length - 1).join('/');
      const successor = `${base}/${pathOf(newest, path)}`;
      // RFC 5829 §3
      headers.append(header.link, `<${successor}>; rel="successor-version"`);
    };
  };
