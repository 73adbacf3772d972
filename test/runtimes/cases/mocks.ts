import type { Case, Surroundings } from '../case.ts';
import { connect } from '../connect.ts';
import { ordering } from '../declaration.ts';
import { expectEqual } from '../expect.ts';

const makeMock = async ({ loadMocks }: Surroundings) => {
  if (loadMocks === undefined) throw new Error('There is no mock here');
  const { createMock } = await loadMocks();
  return createMock(ordering, { data: { companies: [{ id: 1, name: 'Acme', city: 'Utrecht' }] } });
};

/** The mock in the runtime itself, in place of the one that the stage has elsewhere. */
export const mockCases: readonly Case[] = [
  {
    name: 'the mock runs here, behind `createClient({ fetch: mock.fetch })`',
    needs: 'loadMocks',
    run: async (_stage, surroundings) => {
      const mock = await makeMock(surroundings);
      const urls = { apiUrl: 'https://api.example.com', authUrl: 'https://auth.example.com' };
      const { companies } = connect(urls, { fetch: mock.fetch });
      const all = await companies.list().toArray();
      expectEqual(
        all.map(({ name }) => name),
        ['Acme'],
        'Names',
      );
      mock.clock.advance({ minutes: 11 });
      expectEqual((await companies.get(1)).city, 'Utrecht', 'City');
    },
  },
  {
    name: 'the mock runs here, over HTTP with `serve`',
    needs: 'serveHere',
    run: async (_stage, surroundings) => {
      const mock = await makeMock(surroundings);
      const server = await surroundings.serveHere?.(mock);
      const url = server?.url ?? '';
      try {
        const { companies } = connect({ apiUrl: url, authUrl: url });
        expectEqual((await companies.get(1)).self, `${url}/v1/companies/1`, 'Self link');
        expectEqual(mock.requests.length, 2, 'Requests');
      } finally {
        await server?.close();
      }
    },
  },
];
