// The detail of an order: its form, its invoice, and the action that cancels it. What the API says of a field
// is shown at the field.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ValidationError } from 'restkin';
import type { Written } from 'restkin/query';
import { saveFile } from './files.ts';
import { toProblem } from './problem.ts';
import type { Session } from './session.ts';

interface OrderProps {
  readonly id: number;
  readonly client: Session['client'];
  readonly orders: Session['orders'];
  readonly close: () => void;
}

const statuses = ['open', 'shipped', 'cancelled'] as const;

export const Order = ({ id, client, orders, close }: OrderProps) => {
  const queryClient = useQueryClient();
  const { data: order, error } = useQuery(orders.get(id, { expand: ['company'] }));
  const showChange = async ({ invalidates }: Written<unknown>): Promise<void> => {
    await Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    close();
  };
  const update = useMutation({ ...orders.update(), onSuccess: showChange });
  const cancellation = useMutation({ ...orders.cancel(), onSuccess: showChange });
  const invoice = useMutation({
    mutationFn: async () => saveFile(`invoice-${id}.txt`, new Blob([await client.invoice(id)])),
  });

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const status = statuses.find((known) => known === form.get('status'));
    const device = { model: String(form.get('device.model')), serial: String(form.get('device.serial')) };
    update.mutate({ id, body: { device, ...(status === undefined ? {} : { status }) } });
  };
  /** Invalid fields; any other problem concerns the form as a whole. */
  const invalid = update.error instanceof ValidationError ? update.error : undefined;
  const problem =
    error ?? cancellation.error ?? invoice.error ?? (invalid === undefined ? update.error : null);
  const field = (name: 'device.model' | 'device.serial', label: string, value: string) => {
    const messages = invalid?.at(name).map(({ message, code }) => message ?? code) ?? [];
    return (
      <label>
        {label} <input name={name} defaultValue={value} aria-invalid={messages.length > 0} />
        {messages.length > 0 && <span className="error">{messages.join(' ')}</span>}
      </label>
    );
  };

  return (
    <dialog open aria-label={`Order ${id}`}>
      {problem !== null && <p role="alert">{toProblem(problem)}</p>}
      {order !== undefined && (
        <form onSubmit={submit}>
          <h2>
            Order #{id}, {order.company.name}
          </h2>
          <label>
            Status{' '}
            <select name="status" defaultValue={order.status}>
              {statuses.map((status) => (
                <option key={status}>{status}</option>
              ))}
            </select>
          </label>
          {field('device.model', 'Model', order.device.model)}
          {field('device.serial', 'Serial number', order.device.serial)}
          <button type="submit" disabled={update.isPending}>
            Save
          </button>
        </form>
      )}
      <button
        type="button"
        className="plain"
        disabled={cancellation.isPending}
        onClick={() => cancellation.mutate({ id, body: { reason: 'Cancelled at the order desk' } })}
      >
        Cancel order
      </button>{' '}
      <button type="button" className="plain" onClick={() => invoice.mutate()}>
        Invoice
      </button>{' '}
      <button type="button" className="plain" onClick={close}>
        Close
      </button>
    </dialog>
  );
};
