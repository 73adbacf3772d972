// The detail of an order, and its form. What the API says of a field is shown at the field.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ValidationError } from 'restkin';
import { toProblem } from './problem.ts';
import type { Session } from './session.ts';

interface OrderProps {
  readonly id: number;
  readonly orders: Session['orders'];
  readonly close: () => void;
}

const statuses = ['open', 'shipped', 'cancelled'] as const;

export const Order = ({ id, orders, close }: OrderProps) => {
  const queryClient = useQueryClient();
  const { data: order, error } = useQuery(orders.get(id, { expand: ['company'] }));
  const update = useMutation({
    ...orders.update(),
    onSuccess: async ({ invalidates }) => {
      await Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      close();
    },
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
  const problem = error ?? (invalid === undefined ? update.error : null);
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
      <button type="button" className="plain" onClick={close}>
        Close
      </button>
    </dialog>
  );
};
