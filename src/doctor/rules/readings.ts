import type { Rule } from '../rule.ts';

/** What the conventions leave open, and how this package reads it. */
export const readings = [
  {
    id: '§2.1 self of what exists',
    says: 'A self stands only where the mock has that very resource to fetch; a list alone makes none.',
    reading: true,
  },
  {
    id: '§4.2 bare arrays',
    says: 'The body of a collection GET is a JSON array; what belongs to the page stands in header fields.',
    reading: true,
  },
  {
    id: '§4.2 bulk requests',
    says: 'A bulk request is a POST of a JSON array: all of it or nothing; 201 has an array in the same order, and the collection as Location.',
    reading: true,
  },
  {
    id: '§4.3.4 or 406',
    says: 'Where no type in Accept is supported, a GET gets 406 (§7.1), and every other method 415.',
    reading: true,
  },
  {
    id: '§4.4 sort of an unexpanded resource',
    says: 'A field of a nested resource (`company.name`) sorts also when the resource is not expanded.',
    reading: true,
  },
  {
    id: '§4.4 expand of several',
    says: 'Names in expand are separated by commas, as in fields; a dotted name expands a resource inside another one.',
    reading: true,
  },
  {
    id: '§4.5 exposed header fields',
    says: 'A server that lets pages of other origins read its responses exposes the header fields of the conventions.',
    reading: true,
  },
  {
    id: '§5.2.7 or 400',
    says: 'A refresh token that cannot be used gets 401; a server may say 400 (RFC 6749), and the mock has it as an option.',
    reading: true,
  },
  {
    id: '§7.1 304 without If-Modified-Since',
    says: 'If-None-Match and Modified-Since alone make a 304, and never one for a resource that changed within the same second.',
    reading: true,
  },
  {
    id: '§7.1 413 without bulk',
    says: 'A single resource of any size is no 413.',
    reading: true,
  },
  {
    id: '§7.1 415 of the coding',
    says: 'A request body with a content coding, or a charset other than UTF-8, gets 415.',
    reading: true,
  },
  {
    id: '§7.1 400 of the amount',
    says: 'A body that is nested too deep, or has more errors than can be listed, is invalid input: 400 with the first 100 errors.',
    reading: true,
  },
  {
    id: '§9.4 header fields',
    says: 'A deprecated major says so in Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to its successor (RFC 5829).',
    reading: true,
  },
] as const satisfies readonly Rule[];
