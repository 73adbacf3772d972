import { collection, defineApi, endpoint } from 'restkin';
import { Order } from '../support/ordering.ts';

/** An API with a GET action below a collection that has a path parameter. */
export const shipping = defineApi({
  name: 'shipping',
  version: 1,
  auth: 'basic',
  collections: {
    companyOrders: collection('companies/:companyId/orders', Order, {
      actions: { parcel: endpoint('GET', 'parcels/:number', { as: 'text' }) },
    }),
  },
});
