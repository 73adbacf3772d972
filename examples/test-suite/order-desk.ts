// The application under test: what a shop's staff does with orders.
import { createClient, type ErrorItem, isValidationError, tokenAuth } from 'restkin';
import { ordering } from '../ordering.ts';

/** Where the desk works, and as whom. */
export interface DeskOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** For tests that intercept nothing. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What somebody wants to buy. */
export interface Purchase {
  readonly companyId: number;
  readonly sku: string;
  readonly quantity: number;
}

export type Placed =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly problems: readonly ErrorItem[] };

/** Opens an order desk. */
export const createOrderDesk = ({ baseUrl, username, password, ...rest }: DeskOptions) => {
  const auth = tokenAuth({ authUrl: baseUrl, username, password });
  const { orders } = createClient({ baseUrl, auth, retry: { baseDelayMs: 10 }, ...rest }).api(ordering);
  return {
    /** How many orders each company has. */
    countByCompany: async (): Promise<Readonly<Record<string, number>>> => {
      const counts: Record<string, number> = {};
      for await (const { company } of orders.list({
        fields: ['company'],
        expand: ['company'],
        perPage: 100,
      })) {
        counts[company.name] = (counts[company.name] ?? 0) + 1;
      }
      return counts;
    },
    /** Ships an order that is open; says whether it did. */
    ship: async (id: number): Promise<boolean> => {
      const { status } = await orders.get(id, { fields: ['status'] });
      if (status === 'open') await orders.update(id, { status: 'shipped' });
      return status === 'open';
    },
    /** Places an order. What is wrong with it is an answer, no error. */
    place: async ({ companyId, sku, quantity }: Purchase): Promise<Placed> => {
      try {
        const created = await orders.create({
          status: 'open',
          createdAt: new Date().toISOString(),
          device: { model: 'web', serial: 'none' },
          lines: [{ sku, quantity }],
          company: { id: companyId },
        });
        return { ok: true, id: created.id };
      } catch (error) {
        if (isValidationError(error)) return { ok: false, problems: error.errors };
        throw error;
      }
    },
  };
};
