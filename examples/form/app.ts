import { Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { type ClientOf, isValidationError, UnexpectedResponseError } from 'restkin';
import type { ordering } from '../ordering.ts';
import { acceptedPage, orderForm, orderPage, problemPage } from './pages.ts';
import { toProblem } from './problem.ts';

type Orders = ClientOf<typeof ordering.collections.orders>;

/** A number of a form. Anything else is sent as it was typed, and the API says which field is not valid. */
const toNumber = (typed = ''): number => {
  const isNumber = typed.trim() !== '' && !Number.isNaN(Number(typed));
  return isNumber ? Number(typed) : (typed as never);
};

/** The body of an order. */
const toBody = (form: ReadonlyMap<string, string>) => ({
  status: 'open' as const,
  createdAt: new Date().toISOString(),
  device: { model: form.get('device.model') ?? '', serial: form.get('device.serial') ?? '' },
  lines: [{ sku: form.get('lines.0.sku') ?? '', quantity: toNumber(form.get('lines.0.quantity')) }],
  company: { id: toNumber(form.get('company.id')) },
});

/** A site where orders are placed and looked at. */
export const createApp = (orders: Orders): Hono => {
  const app = new Hono();
  app.use(csrf());

  app.get('/', (context) => context.html(orderForm()));

  app.post('/orders', async (context) => {
    const fields = Object.entries(await context.req.parseBody());
    const values = new Map(fields.map(([name, value]) => [name, String(value)]));
    try {
      const created = await orders.create(toBody(values));
      return context.redirect(`/orders/${created.id}`, 303);
    } catch (error) {
      if (error instanceof UnexpectedResponseError && error.status === 202)
        return context.html(acceptedPage(), 202);
      // What the visitor can put right is shown at its field; everything else is a page of its own.
      if (!isValidationError(error)) throw error;
      return context.html(orderForm(values, error.fieldErrors), 422);
    }
  });

  app.get('/orders/:id{[0-9]+}', async (context) =>
    context.html(orderPage(await orders.get(Number(context.req.param('id')), { expand: ['company'] }))),
  );

  app.notFound((context) => context.html(problemPage('There is no such page.'), 404));

  app.onError((error, context) => {
    const { status, text, retryAfterS } = toProblem(error);
    // The whole error may be logged: it holds no token and no password.
    if (status >= 500) console.error(error);
    if (retryAfterS !== undefined) context.header('Retry-After', String(retryAfterS));
    return context.html(problemPage(text), status);
  });
  return app;
};
