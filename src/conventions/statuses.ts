/** The error statuses of §7.1, each with its phrase from RFC 9110 (RFC 6585 for 429). */
export const errorPhrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** A status of §7.1 that reports an error. */
export type ErrorStatus = keyof typeof errorPhrases;
