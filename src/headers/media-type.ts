/**
 * The type and subtype of a `Content-Type`, in lower case and without parameters (RFC 9110 §8.3.1). Of a
 * header that a proxy added a second time, the first one.
 */
export const parseMediaType = (value: string | null): string =>
  (value ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';

/** True for `application/json` and for every `+json` type (RFC 6839 §3.1). */
export const isJson = (mediaType: string): boolean => /^[^/]+\/(?:json|[^/]+\+json)$/.test(mediaType);

/**
 * True when a media type satisfies a range of an `Accept` header (RFC 9110 §12.5.1), as any JSON does where
 * JSON is asked for.
 */
export const isAcceptable = (mediaType: string, accept: string): boolean =>
  accept.split(',').some((part) => {
    const range = parseMediaType(part);
    return (
      range === '*/*' ||
      range === mediaType ||
      (isJson(range) && isJson(mediaType)) ||
      (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)))
    );
  });
