import {
  answerInstead,
  changeErrorItems,
  changeErrors,
  changeJson,
  changeLinks,
  changeOrders,
  changeParameter,
  changeReply,
  changeReplyOf,
  changeSuccess,
  dropFields,
  errorReply,
  hasErrors,
  hasParameter,
  isItem,
  isList,
  isListOrItem,
  isOptions,
  isToken,
  type Mutants,
  pageOf,
  requestOf,
  setListField,
  setRequestField,
  withField,
  withStatus,
} from './words.ts';

export const requests: Mutants = {
  '§4.2 GET: a list gets 203': changeSuccess(isList, (usual) => withStatus(usual, 203)),
  '§4.2 GET: a resource gets 203': changeSuccess(isItem, (usual) => withStatus(usual, 203)),
  '§4.2 GET: a resource is another one': changeJson(isItem, (row) => ({ ...row, id: 99 })),
  '§4.2 bare arrays: a list is wrapped': changeJson(isList, (wrapped) => ({ items: wrapped })),
  '§4.2 OPTIONS: it gets 204': changeReply(isOptions, (usual) => withStatus(usual, 204)),
  '§4.2 OPTIONS: it has no Accept': changeReply(isOptions, (usual) => withField(usual, 'accept')),
  '§4.2 OPTIONS: it lacks POST': changeReply(isOptions, (usual) =>
    withField(usual, 'accept', 'GET, OPTIONS'),
  ),
  '§4.2 OPTIONS: it has a body': changeReply(isOptions, (usual) => ({ ...usual, body: '[]' })),
  '§4.2 HEAD: it gets 200': changeReply(requestOf('HEAD', /orders/), (usual) => withStatus(usual, 200)),
  '§4.3.1: JSON is text/plain': setListField('content-type', () => 'text/plain'),
  '§4.3.3: several types in Accept get 406': answerInstead(
    (seen) => isList(seen) && (seen.headers.get('accept') ?? '').includes(','),
    errorReply(406),
  ),
  '§4.3.4: Accept is ignored': setRequestField(isList, 'accept', 'application/json'),
  '§5.2.2: a valid token gets 401': changeReplyOf(200, isList, () => errorReply(401)),
  '§5.2.9: no token gets a list': answerInstead(
    (seen) => isList(seen) && !seen.headers.has('authorization'),
    errorReply(200, []),
  ),
  '§5.2.9: an invalid token gets 403': changeReplyOf(
    401,
    (seen) => isList(seen) && seen.headers.has('authorization'),
    (usual) => withStatus(usual, 403),
  ),
  '§7.1 304: If-None-Match is ignored': setRequestField(isListOrItem, 'if-none-match'),
  '§7.1 304: any If-None-Match gets 304': changeReply(
    (seen) => isListOrItem(seen) && seen.headers.has('if-none-match'),
    (usual) => withStatus(usual, 304),
  ),
  '§7.1 304: a list gets 304 without a condition': changeSuccess(
    (seen) => isList(seen) && seen.url.search === '',
    (usual) => withStatus(usual, 304),
  ),
  '§7.1 400: an invalid page is the first': changeParameter(
    (seen) => isList(seen) && pageOf(seen) === 'none',
    'page',
  ),
  '§7.1 404: an unknown id gets 400': changeReplyOf(404, isItem, (usual) => withStatus(usual, 400)),
  '§9.3: `self` has no version': changeOrders((row) => ({
    ...row,
    self: String(row.self).replace('/v1', ''),
  })),
  '§9.3: links have no version': changeLinks((parts) => parts.map((part) => part.replace('/v1/', '/'))),
};

export const errors: Mutants = {
  '§2.3 message: a 404 has none': changeErrors(404, () => ({ error: 'not found' })),
  '§2.3 message: a 401 is HTML': changeReplyOf(
    401,
    () => true,
    (usual) => ({ ...usual, body: '<h1>No</h1>' }),
  ),
  '§2.3 message: it is a number': changeErrors(406, () => ({ message: 406 })),
  '§2.3 message: the token endpoint has none': changeErrors(
    (_usual, seen) => isToken(seen),
    () => ({ error: 'no' }),
  ),
  '§2.3 errors: a 404 has some': changeErrors(404, (body) => ({
    ...body,
    errors: [{ field: 'id', code: 'invalid' }],
  })),
  '§2.3 errors: it is an object': changeErrors(hasErrors, (body) => ({ ...body, errors: {} })),
  '§2.3 errors[].field: it is missing': changeErrorItems(dropFields('field')),
  '§2.3 errors[].code: it is missing': changeErrorItems(dropFields('code')),
  '§2.3 errors[].message: it is a number': changeErrorItems((one) => ({ ...one, message: 5 })),
  '§2.3 errors[].reference: it is no URI': changeErrorItems((one) => ({
    ...one,
    reference: 'see the manual',
  })),
  '§7.1 500: a wrong sort gets 500': changeReplyOf(400, hasParameter(isList, 'sort'), () => errorReply(500)),
  '§7.1 500: a wrong perPage gets 500': changeReplyOf(400, hasParameter(isList, 'perPage'), () =>
    errorReply(500),
  ),
  '§7.2.1: a wrong sort gets 422': changeReplyOf(400, hasParameter(isList, 'sort'), () => errorReply(422)),
  '§7.2.1: with `errors`': changeReplyOf(400, hasParameter(isList, 'sort'), (usual) =>
    withStatus(usual, 422),
  ),
};
