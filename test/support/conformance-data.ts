import { ordering } from './ordering.ts';
import { shop } from './shop.ts';

export { ordering, shop };

const companies = [
  { id: 1, name: 'Zeta', city: 'Oslo' },
  { id: 2, name: 'Alfa', city: 'Bergen' },
  { id: 3, name: 'Mira', city: 'Oslo' },
] as const;

type Status = 'open' | 'shipped' | 'cancelled';

const order = (id: number, status: Status, model: string, company: number) => ({
  id,
  status,
  createdAt: `2026-01-0${id}T00:00:00Z`,
  device: { model, serial: `S${id}` },
  lines: [{ sku: `sku-${id}`, quantity: id }],
  company: { id: company },
});

/** Three companies, five orders of theirs, and a feed that has no totals. */
export const data = {
  companies,
  feed: companies,
  orders: [
    order(1, 'open', 'M2', 1),
    order(2, 'shipped', 'M1', 2),
    order(3, 'open', 'M3', 3),
    order(4, 'cancelled', 'M1', 1),
    order(5, 'shipped', 'M4', 2),
  ],
} as const;

/** An order as a client sends it. */
export const newOrder = {
  status: 'open',
  createdAt: '2026-02-01T00:00:00Z',
  device: { model: 'M9', serial: 'S9' },
  lines: [{ sku: 'sku-9', quantity: 9 }],
  company: { id: 1 },
} as const;

/** A company as a client sends it. */
export const newCompany = { name: 'Nova', city: 'Molde' } as const;
