import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Page } from 'restkin';
import type { Session } from './session.ts';

/** A page of any query of the list. */
type AnyPage = Page<{ readonly id: number }>;

/**
 * Deletes an order. Its row disappears at once. The client repeats the request during a short outage; if it
 * fails all the same, the row comes back.
 */
export const useRemoval = (orders: Session['orders']) => {
  const queryClient = useQueryClient();
  const queryKey: QueryKey = orders.key('list');
  return useMutation({
    ...orders.remove(),
    onMutate: async (id) => {
      // A list that is on the way still holds the row.
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueriesData<AnyPage>({ queryKey });
      queryClient.setQueriesData<AnyPage>(
        { queryKey },
        (page) => page && { ...page, items: page.items.filter((order) => order.id !== id) },
      );
      return before;
    },
    onError: (_error, _id, before = []) => {
      for (const [key, page] of before) queryClient.setQueryData(key, page);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
};
