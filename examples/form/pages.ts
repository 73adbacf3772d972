import { html, raw } from 'hono/html';
import type { ErrorItem, Item, ValidationError } from 'restkin';
import type { ordering } from '../ordering.ts';

// `html` escapes every value that is put into it.
type Html = ReturnType<typeof html>;

/** Inputs are named by the paths of the API, so that an error finds its field. */
const inputs = [
  { name: 'device.model', label: 'Device' },
  { name: 'device.serial', label: 'Serial number' },
  { name: 'lines.0.sku', label: 'Article' },
  { name: 'lines.0.quantity', label: 'Quantity' },
  { name: 'company.id', label: 'Company number' },
] as const;

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; color: #1c2430 }
  label { display: block; margin-top: 1rem; font-weight: 600 }
  input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid #8a94a3; border-radius: 4px }
  input[aria-invalid] { border-color: #b3261e } .error { color: #b3261e; margin: .25rem 0 0 }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit }`;

const layout = (title: string, content: Html) => html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${title}</title><style>${raw(style)}</style></head>
  <body><h1>${title}</h1>${content}</body>
</html>`;

const messageOf = ({ code, message }: ErrorItem): string =>
  message ?? (code === 'missingField' ? 'This is needed' : 'This is not valid');

const input = (name: string, label: string, value: string, items: readonly ErrorItem[]) => html`
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" value="${value}"${items.length > 0 ? raw(' aria-invalid="true"') : ''}>
  ${items.map((item) => html`<p class="error" data-field="${name}">${messageOf(item)}</p>`)}`;

/** The form, with what was typed and what is wrong with it. */
export const orderForm = (
  values: ReadonlyMap<string, string> = new Map(),
  fieldErrors: ValidationError['fieldErrors'] = {},
) => {
  const shown = new Set<string>(inputs.map(({ name }) => name));
  // An error at a field that the form does not have must be seen all the same.
  const others = Object.entries(fieldErrors).filter(([field]) => !shown.has(field));
  return layout(
    'New order',
    html`<form method="post" action="/orders">
      ${others.map(([field, items]) => html`<p class="error">${field}: ${items?.map(messageOf).join(', ')}</p>`)}
      ${inputs.map(({ name, label }) => input(name, label, values.get(name) ?? '', fieldErrors[name] ?? []))}
      <button>Place the order</button>
    </form>`,
  );
};

type OrderWithCompany = Item<typeof ordering.collections.orders, undefined, ['company']>;

/** An order with its company. */
export const orderPage = ({ id, status, device, company }: OrderWithCompany) =>
  layout(`Order ${id}`, html`<p>${device.model} (${device.serial}) for ${company.name}: ${status}</p>`);

/** For an API that works later (§4.2, 202). */
export const acceptedPage = () => layout('Thank you', html`<p>Your order is being processed.</p>`);

/** What went wrong. */
export const problemPage = (text: string) =>
  layout('Sorry', html`<p>${text}</p><p><a href="/">New order</a></p>`);
