// The table: one page of the list, sorted by a column.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Export } from './export.tsx';
import { Order } from './order.tsx';
import { toProblem } from './problem.ts';
import { useRemoval } from './removal.ts';
import type { Session } from './session.ts';

const columns = { id: 'Order', createdAt: 'Placed', 'device.model': 'Device', status: 'Status' } as const;
type Column = keyof typeof columns;
type Sort = Column | `-${Column}`;

export const Orders = ({ session }: { readonly session: Session }) => {
  const [sort, setSort] = useState<Sort>('-createdAt');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number>();
  const { data, error, isPlaceholderData } = useQuery({
    ...session.orders.list({
      sort: [sort],
      fields: ['createdAt', 'company', 'device.model', 'status'],
      expand: ['company'],
      page,
      perPage: 10,
    }),
    placeholderData: keepPreviousData,
  });
  const removal = useRemoval(session.orders);

  const sortBy = (column: Column): void => {
    setSort(sort === column ? `-${column}` : column);
    setPage(1);
  };
  const heading = (column: Column) => {
    const isSorted = sort === column || sort === `-${column}`;
    const direction = sort === column ? 'ascending' : 'descending';
    return (
      <th key={column} aria-sort={isSorted ? direction : 'none'}>
        <button type="button" onClick={() => sortBy(column)}>
          {columns[column]}
        </button>
      </th>
    );
  };
  const problem = error ?? removal.error;

  return (
    <>
      {problem !== null && <p role="alert">{toProblem(problem)}</p>}
      <table aria-busy={isPlaceholderData}>
        <thead>
          <tr>
            {heading('id')}
            {heading('createdAt')}
            <th>Company</th>
            {heading('device.model')}
            {heading('status')}
            <th />
          </tr>
        </thead>
        <tbody>
          {data?.items.map(({ id, createdAt, company, device, status }) => (
            <tr key={id}>
              <td>
                <button type="button" className="link" onClick={() => setChosen(id)}>
                  #{id}
                </button>
              </td>
              <td>{createdAt.slice(0, 10)}</td>
              <td>{company.name}</td>
              <td>{device.model}</td>
              <td>
                <span className={`status ${status}`}>{status}</span>
              </td>
              <td>
                <button type="button" className="plain" onClick={() => removal.mutate(id)}>
                  Delete
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <nav>
        <button type="button" className="plain" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous
        </button>
        <span role="status">
          {data !== undefined &&
            `Page ${page} of ${data.totalPages}, ${data.totalCount?.toLocaleString('en')} orders`}
        </span>
        <button
          type="button"
          className="plain"
          disabled={data?.next === undefined || isPlaceholderData}
          onClick={() => setPage(page + 1)}
        >
          Next
        </button>
      </nav>
      <Export client={session.client} />
      {chosen !== undefined && (
        <Order
          key={chosen}
          id={chosen}
          client={session.client}
          orders={session.orders}
          close={() => setChosen(undefined)}
        />
      )}
    </>
  );
};
