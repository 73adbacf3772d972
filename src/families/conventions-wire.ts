import { header, listSeparator, queryParameters } from '../conventions.ts';
import { parseLink, parsePagination, totalProblem, totalsIn } from '../headers/paging.ts';
import { conventions } from './family.ts';
import type { Parameter } from './query.ts';
import type { Wire } from './wire.ts';

/** Requests and responses as the conventions have them, which nothing has to translate. */
export const conventionsWire: Wire = {
  family: conventions,
  parameters: queryParameters,
  space: '+',
  formatQuery: (query) => {
    const parameters: Parameter[] = [];
    for (const name of queryParameters) {
      const value = query[name];
      if (value === undefined) continue;
      const written = typeof value === 'number' ? String(value) : value.join(listSeparator);
      if (written !== '') parameters.push([name, written]);
    }
    return parameters;
  },
  valuesOf: (query, name) => query.getAll(name),
  toBody: (value) => value,
  toResource: (body) => body,
  readIds: (value) => value,
  writeIds: (value) => value,
  listStatuses: [200],
  readPage: (body, headers, _url, hasTotals) => ({
    items: body,
    links: parseLink(headers.get(header.link) ?? ''),
    numbers: parsePagination(headers),
    checkEnd: hasTotals ? (read) => totalProblem(totalsIn(headers), read) : undefined,
  }),
  readItems: undefined,
  positionByTotal: undefined,
  otherPathAdvice: '',
  otherApiProblem: '',
};
