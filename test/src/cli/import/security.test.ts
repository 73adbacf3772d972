import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, list, reference, resourceOf, type Schema } from '../../../support/odd-document.ts';

// One entry of `security` is an alternative, and all schemes in it are needed together.

const securitySchemes = {
  jwt: { type: 'http', scheme: 'bearer' },
  login: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
};

const jwt = { jwt: [] };
const login = { login: [] };
const key = { key: [] };

/** The API of a document in which `usual` is the security of two lists, and `own` that of a third one. */
const importWith = async (usual: readonly Schema[], own: readonly Schema[]) => {
  const imported = await importOf({
    ...documentOf({
      '/v1/own': list(reference('Thing'), { security: own }),
      '/v1/things': list(reference('Thing'), { security: usual }),
      '/v1/others': list(reference('Thing'), { security: usual }),
    }),
    components: { schemas: { Thing: resourceOf({}) }, securitySchemes },
  });
  const [api] = apisOf(imported);
  return { auth: api?.auth, names: Object.keys(api?.collections ?? {}), unfit: imported.unfit };
};

describe('an operation that takes other schemes than most', () => {
  test.each<[string, readonly Schema[], readonly Schema[], unknown]>([
    ['more alternatives', [jwt], [login, jwt], 'token'],
    ['the same in another order', [jwt, login], [login, jwt], ['token', 'basic']],
    ['no credentials as an alternative', [jwt], [{}, jwt], 'token'],
    ['none', [jwt], [], 'token'],
  ])('belongs to the API: %s', async (_, usual, own, auth) => {
    const found = await importWith(usual, own);
    expect(found).toEqual({ auth, names: ['own', 'things', 'others'], unfit: [] });
  });

  test('belongs to the API with a report where it takes one of its schemes', async () => {
    const { names, unfit } = await importWith([jwt, login], [login]);
    expect(names).toContain('own');
    expect(unfit).toEqual(['shopAPI.own.list: it takes basic alone, where others take token or basic (§5)']);
  });

  test('belongs to the API with a report where it needs one more', async () => {
    const { names, unfit } = await importWith([jwt], [{ ...jwt, ...key }]);
    expect(names).toContain('own');
    expect(unfit).toEqual(['shopAPI.own.list: it needs key beside token: pass it in `headers`']);
  });

  test('is no part of the API where it shares none with it', async () => {
    const { auth, names, unfit } = await importWith([jwt], [key, login]);
    expect([auth, names]).toEqual(['token', ['things', 'others']]);
    expect(unfit).toEqual(['GET /v1/own: it takes key or basic, and others take token (§5)']);
  });

  test.each<[string, string, readonly Schema[], string | undefined]>([
    ['the first of its own', 'v2', [key, login], 'key'],
    ['those that it needs together', 'v2', [{ ...key, ...login }], 'key+basic'],
    ['that of the API among its own, in another version', 'v1', [login, jwt], 'token'],
    ['that of the API beside another one, in another version', 'v1', [{ ...key, ...jwt }], 'token'],
    ['none where it is open, in another version', 'v1', [], undefined],
  ])('is a function with the scheme that it takes: %s', async (_, version, own, scheme) => {
    const { declarations } = await importOf({
      ...documentOf({
        [`/${version}/own`]: { get: { operationId: 'own', security: own, responses: { 204: {} } } },
        '/v2/things': list(reference('Thing'), { security: [jwt] }),
        '/v2/others': list(reference('Thing'), { security: [jwt] }),
      }),
      components: { schemas: { Thing: resourceOf({}) }, securitySchemes },
    });
    const auth = scheme === undefined ? '' : `, auth: '${scheme}'`;
    expect(declarations).toContain(`{ ...options, method: 'GET', path: '${version}/own'${auth} }`);
  });
});
