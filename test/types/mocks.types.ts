// Only has to compile: what the mock takes of a declaration.
import { collection, defineApi, resource } from 'restkin';
import { createMock, type Fault, type MockRow, type MockRowOf } from 'restkin/mocks';
import * as z from 'zod';
import { office } from '../support/endpoints.ts';
import { ordering } from '../support/ordering.ts';

type OrderRow = MockRowOf<typeof ordering, 'orders'>;

export const rows = () => {
  const order: OrderRow = {
    status: 'open',
    createdAt: new Date(),
    device: { model: 'M1', serial: 'S1' },
    lines: [{ sku: 'a', quantity: 1 }],
    company: 3,
  };
  const mock = createMock(ordering, {
    data: {
      orders: [
        order,
        { ...order, company: { id: 3 } },
        { ...order, company: { name: 'Acme', city: 'Oslo' } },
      ],
      companies: [{ id: 7, name: 'Acme', city: 'Oslo' }],
    },
  });
  mock.state.setRows('orders', [{ ...mock.state.row('orders', 1), status: 'shipped' }]);
  const stored = mock.state.row('orders', 1);
  const createdAt: string | undefined = stored?.createdAt;
  const id: number | undefined = stored?.company?.id;
  const [row] = mock.state.rows('companies');
  const name: string | undefined = row?.name;
  // @ts-expect-error misspelt, below a field
  createMock(ordering, { data: { orders: [{ device: { modle: 'M1' } }] } });
  // @ts-expect-error not a status
  createMock(ordering, { data: { orders: [{ status: 'nope' }] } });
  // @ts-expect-error no such collection
  createMock(ordering, { data: { invoices: [] } });
  // @ts-expect-error a company's id is a number
  mock.state.setRows('orders', [{ company: 'Acme' }]);
  return [name, createdAt, id];
};

/** What the mock checks before it stores it is there; of a relation, the id alone. */
export const storedRows = (row: NonNullable<ReturnType<typeof readOrder>>) => {
  const { id, createdAt, device, lines, company, note } = row;
  const sum: number = id + lines.reduce((all, line) => all + line.quantity + line.id, 0) + company.id;
  const text: string = createdAt + device.model;
  // @ts-expect-error optional in the declaration
  const length: number = note.length;
  // @ts-expect-error a relation may have its id alone
  const city: string = company.city;
  // @ts-expect-error a stored row has none
  const self: string = row.self;
  const [order] = createMock(ordering, { data: { orders: [row] } }).state.rows('orders');
  return [sum, text, length, city, self, order?.lines];
};

const readOrder = () => createMock(ordering).state.row('orders', 1);

export const requests = () => {
  const mock = createMock(ordering);
  const to: 'orders' | 'companies' | 'companyOrders' | 'feed' | undefined = mock.requests[0]?.collection;
  return to;
};

export const faults = () => {
  const { faults } = createMock(ordering);
  faults.next({ collection: 'orders', method: 'POST', status: 503 });
  // @ts-expect-error no such collection
  faults.next({ collection: 'order', status: 503 });
  // @ts-expect-error no such method
  faults.next({ method: 'PTACH' });
  // @ts-expect-error misspelt
  faults.next({ statsu: 503 });
  faults.next({ cut: 'body', status: 503 });
  // @ts-expect-error no endpoint is declared
  faults.next({ endpoint: 'settings', status: 503 });
  createMock(office).faults.next({ endpoint: 'settings', status: 503 });
  createMock([ordering, office]).faults.next({ endpoint: 'orders.cancel', status: 503 });
  createMock(ordering).faults.next({ endpoint: 'orders.get', status: 503 });
  // @ts-expect-error no operation has this name
  createMock(ordering).faults.next({ endpoint: 'orders.read', status: 503 });
  // @ts-expect-error no such action
  createMock(office).faults.next({ endpoint: 'orders.cancle', status: 503 });
};

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (given) => new Date(given),
  encode: (date) => date.toISOString(),
});

export const severalApis = (anyRows: MockRow[]) => {
  const Meeting = resource({
    id: z.string(),
    at: isoDate,
    room: z.string().nullable(),
    tags: z.array(z.string()),
  });
  const meetings = (version: number) =>
    defineApi({
      name: 'x',
      version,
      auth: 'token',
      collections: { meetings: collection('meetings', Meeting) },
    });
  const mock = createMock([ordering, meetings(1)], {
    data: { meetings: [{ id: 'a', at: '2026-01-01T00:00:00Z', room: null, tags: [] }, { at: new Date() }] },
    generate: { companies: 3, orders: { count: 2, row: () => ({ status: 'open' }) } },
  });
  mock.faults.next({ collection: 'meetings', cut: 'request' });
  // @ts-expect-error an id of this resource is a string
  mock.state.setRows('meetings', [{ id: 7 }]);
  // Rows whose fields are known at run time only are checked then.
  mock.state.setRows('meetings', anyRows);
};

export const namedFaults = (fault: Fault, cut: 'request' | 'response' | 'body') => {
  const { faults } = createMock(ordering);
  faults.next(fault);
  faults.next({ cut });
  return [fault.status, faults.waiting[0]?.body];
};

export const handlers = () => {
  createMock(office, { endpoints: { settings: () => ({ currency: 'NOK', since: '2026-11-01' }) } });
  const seen: string[] = [];
  const saveSettings = { endpoints: { saveSettings: () => void seen.pop() } };
  createMock(office, saveSettings);
  createMock(office, {
    endpoints: {
      saveSettings: async ({ body }) => {
        seen.push(body.currency);
      },
    },
  });
  // @ts-expect-error it has no response
  createMock(office, { endpoints: { saveSettings: () => 'x' } });
  createMock(office, { endpoints: { 'v1/other': (_request, _state, { id }) => Response.json(id) } });
  createMock([ordering, office], { endpoints: { 'orders.cancel': ({ row }) => row } });
  // @ts-expect-error no such endpoint
  createMock(office, { endpoints: { setings: () => Response.json({}) } });
  // @ts-expect-error no such action
  createMock(office, { endpoints: { 'orders.cancle': () => Response.json({}) } });
  // @ts-expect-error a currency is a string
  createMock(office, { endpoints: { settings: () => ({ currency: 5, since: '2026-11-01' }) } });
  // @ts-expect-error its body has a reason
  createMock(office, { endpoints: { 'orders.cancel': ({ body, row }) => ({ ...row, id: body.why }) } });
  // @ts-expect-error an endpoint without JSON returns a Response
  createMock(office, { endpoints: { audio: () => 'x' } });
};

/** A filter gets a row as it goes over the wire, and parameters as their schema decodes them. */
export const filters = () => {
  const Invoice = resource({ total: z.string(), due: z.iso.date() });
  const date = z.codec(z.iso.date(), z.date(), {
    decode: (text) => new Date(text),
    encode: (value) => value.toISOString().slice(0, 10),
  });
  const invoices = collection('invoices', Invoice, { params: z.object({ dueBefore: date }) });
  const billing = defineApi({ name: 'billing', version: 1, auth: 'token', collections: { invoices } });
  createMock(billing, {
    filter: {
      invoices: ({ due, total }, { dueBefore }) => {
        const wire: string | undefined = total;
        const decoded: Date = dueBefore;
        return wire !== undefined && due !== undefined && due < decoded.toISOString();
      },
    },
  });
  createMock([ordering, billing], {
    filter: { invoices: (row, params) => row.due === String(params.dueBefore) },
  });
  createMock(billing, {
    filter: { invoices: { dueBefore: ({ due }, day) => due < day.toISOString() } },
  });
  // @ts-expect-error no such parameter
  createMock(billing, { filter: { invoices: { dueAfter: () => true } } });
  // @ts-expect-error no such field
  createMock(billing, { filter: { invoices: ({ deu }) => deu === '' } });
  // @ts-expect-error no such parameter
  createMock(billing, { filter: { invoices: (_row, { dueAfter }) => dueAfter === undefined } });
};
