import { expect, test } from 'vitest';
import { createRetryBudget, type RetryBudget } from '../../../src/http/retry.ts';

const takeAll = (budget: RetryBudget): number => {
  let taken = 0;
  while (budget.take()) taken++;
  return taken;
};

test('an outage uses it up: 100 retries, then none', () => {
  const budget = createRetryBudget();
  expect(takeAll(budget)).toBe(100);
  expect(budget.take()).toBe(false);
});

test('five successes pay for one retry', () => {
  const budget = createRetryBudget();
  takeAll(budget);
  for (let i = 0; i < 4; i++) budget.refund();
  expect(budget.take()).toBe(false);
  budget.refund();
  expect(takeAll(budget)).toBe(1);
});

test('it never grows above its capacity', () => {
  const budget = createRetryBudget();
  for (let i = 0; i < 1_000; i++) budget.refund();
  expect(takeAll(budget)).toBe(100);
});
