import type { Break, Reply, Seen } from '../server.ts';
import {
  answerInstead,
  changeErrorItems,
  changeErrors,
  changeJson,
  changeOrders,
  changeReply,
  changeReplyOf,
  changeRequest,
  changeSuccess,
  dropFields,
  emptyReply,
  errorReply,
  type Is,
  isCreation,
  isDelete,
  isPatch,
  isPost,
  isPut,
  type Mutants,
  type Rows,
  requestOf,
  withField,
  withStatus,
} from './words.ts';

/** Deletes at the second request. */
const lateDelete = (): Break => {
  const seenBefore = new Set<string>();
  return (seen, next) => {
    if (!isDelete(seen) || seenBefore.has(seen.url.pathname)) return next(seen);
    seenBefore.add(seen.url.pathname);
    return emptyReply;
  };
};

const newOrder = {
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  device: { model: 'M', serial: 'S' },
  lines: [],
  company: { id: 1 },
  payer: { id: 1 },
} as const;

const isMissing = (usual: Reply, seen: Seen): boolean =>
  isCreation(seen) && usual.body.includes('missingField');
const isUnparsable: Is = (seen) => isPost(seen) && !seen.body.endsWith('}');

/** Those that only writes show. */
export const writes: Mutants = {
  '§4.2 POST: it gets 200': changeReplyOf(201, isCreation, (usual) => withStatus(usual, 200)),
  '§4.2 POST: it has no Location': changeSuccess(isCreation, (usual) => withField(usual, 'location')),
  '§4.2 POST: its Location leads elsewhere': changeSuccess(isCreation, (usual) =>
    withField(usual, 'location', '/v1/orders/1'),
  ),
  '§4.2 POST: its body is another one': changeJson(isCreation, (body) => ({ id: body.id })),
  '§4.2 PUT: it gets 200': changeReply(isPut, (usual) => withStatus(usual, 200)),
  '§4.2 PUT: it does nothing': answerInstead(isPut, emptyReply),
  '§4.2 PATCH: it gets 200': changeReply(isPatch, (usual) => withStatus(usual, 200)),
  '§4.2 PATCH: it does nothing': answerInstead(isPatch, emptyReply),
  '§4.2 DELETE: it gets 200': changeReplyOf(204, isDelete, (usual) => withStatus(usual, 200)),
  '§4.2 DELETE: it deletes at the second request': lateDelete,
  '§7.2.2: JSON that cannot be parsed gets 200': changeReply(isUnparsable, () => errorReply(200, {})),
  '§7.1 500: JSON that cannot be parsed gets 500': changeReply(isUnparsable, () => errorReply(500)),
  '§7.2.3: a missing field is not listed': changeErrors(
    (_usual, seen) => isCreation(seen),
    dropFields('errors'),
  ),
  '§7.2.3: other fields are listed': changeErrors(isMissing, (body) => ({
    ...body,
    errors: [{ field: 'other', code: 'missingField' }],
  })),
  '§7.2.3: a body without its fields is created': changeRequest(
    (seen) => isCreation(seen) && !isUnparsable(seen) && !seen.body.includes('status'),
    (seen) => ({ ...seen, body: JSON.stringify({ ...newOrder, ...JSON.parse(seen.body) }) }),
  ),
  '§7.2.4: the code of a missing field is another one': changeErrors(isMissing, (body) => ({
    ...body,
    errors: (body.errors as Rows).map((one) => ({ ...one, code: 'required' })),
  })),
  '§7.1 415: an unknown content type gets 400': changeReplyOf(415, isPost, (usual) => withStatus(usual, 400)),
  '§7.1 405: POST to a resource gets 404': changeReplyOf(405, requestOf('POST', /^\/v1\/orders/), (usual) =>
    withStatus(usual, 404),
  ),
  '§2.1 id: it is a string when it is read': changeOrders((row) => ({ ...row, id: String(row.id) })),
  '§2.3 errors[].field: no response has it': changeErrorItems(dropFields('field')),
  '§2.3 errors[].code: it is a number': changeErrorItems((one) => ({ ...one, code: 5 })),
};
