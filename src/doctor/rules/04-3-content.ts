import { header, jsonType } from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import type { Exchange } from '../exchange.ts';
import { blockedBy, demand, demandStatus, requireSuccess } from '../judgement.ts';
import { by, judgedAs, reasons, rule } from '../rule.ts';
import { showType } from '../shown.ts';

const unknownType = 'text/x-restkin-doctor';

const typeOf = ({ headers }: Exchange): string => showType(headers.get(header.contentType));

export const content = [
  rule('§4.3.1', 'Most APIs support JSON; an API may support other types.', by.list(), async (subject) => {
    const exchange = await subject.firstPage();
    if (exchange.status !== 200) requireSuccess(exchange);
    const type = typeOf(exchange);
    demand(isJson(parseMediaType(type)), exchange, `the content type ${jsonType}`, type, 'fatal');
    demand(exchange.json !== undefined, exchange, 'a body of JSON', 'a body that is not JSON', 'fatal');
  }),
  rule('§4.3.2', 'The client states the content types that it accepts.', reasons.forClients),
  rule('§4.3.3', 'The content type of the response matches Accept.', by.list(), async (subject) => {
    const usual = requireSuccess(await subject.firstPage());
    if (!isJson(parseMediaType(typeOf(usual)))) blockedBy('§4.3.1');
    const accept = `${unknownType}, ${jsonType}`;
    const exchange = await subject.firstPage({ [header.accept]: accept });
    demandStatus(exchange, [200], `for Accept: ${accept}`);
    const type = parseMediaType(typeOf(exchange));
    const isListed = isJson(type) || type === unknownType;
    demand(isListed, exchange, 'a content type that Accept lists', typeOf(exchange));
  }),
  rule('§4.3.4', 'Where no type in Accept is supported: 415.', by.list(), async (subject) => {
    requireSuccess(await subject.firstPage());
    const exchange = await subject.firstPage({ [header.accept]: unknownType });
    demandStatus(exchange, [406, 415], `for Accept: ${unknownType}`);
  }),
  rule('§4.3.4 or 406', 'A GET gets 406 (§7.1), every other method 415.', judgedAs('§4.3.4')),
] as const;
