import type { TokenStore } from 'restkin';

/** One rule of a token store, on two handles to the same storage and an unused chain. */
type Rule = (first: TokenStore, second: TokenStore, chain: string) => Promise<boolean>;

const holds = async (store: TokenStore, chain: string, version: number, record: string): Promise<boolean> => {
  const stored = await store.read(chain);
  return stored?.version === version && stored.record === record;
};

const contenders = 40;

const rules: Readonly<Record<string, Rule>> = {
  'read gives undefined for a chain without a record': async (first, _second, chain) =>
    (await first.read(chain)) === undefined,
  'swap at version 0 creates the record as version 1': async (first, _second, chain) =>
    (await first.swap(chain, 0, 'one')) && holds(first, chain, 1, 'one'),
  'swap at version 0 refuses when there is a record': async (first, _second, chain) =>
    (await first.swap(chain, 0, 'one')) &&
    !(await first.swap(chain, 0, 'two')) &&
    holds(first, chain, 1, 'one'),
  'swap at another version refuses when there is no record': async (first, _second, chain) =>
    !(await first.swap(chain, 1, 'one')) && (await first.read(chain)) === undefined,
  'swap at the stored version writes the next one': async (first, _second, chain) =>
    (await first.swap(chain, 0, 'one')) &&
    (await first.swap(chain, 1, 'two')) &&
    holds(first, chain, 2, 'two'),
  'swap at an older or a newer version writes nothing': async (first, _second, chain) =>
    (await first.swap(chain, 0, 'one')) &&
    (await first.swap(chain, 1, 'two')) &&
    !(await first.swap(chain, 1, 'three')) &&
    !(await first.swap(chain, 3, 'three')) &&
    holds(first, chain, 2, 'two'),
  'a record comes back as it was given': async (first, _second, chain) => {
    const record = JSON.stringify({ string: 'é 漢字 😀 "quoted" \\ \u2028 \n', long: 'x'.repeat(20_000) });
    return (await first.swap(chain, 0, record)) && holds(first, chain, 1, record);
  },
  'chains do not see each other': async (first, _second, chain) =>
    (await first.swap(chain, 0, 'one')) &&
    (await first.swap(`${chain}:other`, 0, 'other')) &&
    (await holds(first, chain, 1, 'one')) &&
    holds(first, `${chain}:other`, 1, 'other'),
  'what one handle wrote the other one reads and swaps': async (first, second, chain) =>
    (await first.swap(chain, 0, 'one')) &&
    (await holds(second, chain, 1, 'one')) &&
    (await second.swap(chain, 1, 'two')) &&
    holds(first, chain, 2, 'two'),
  'of many swaps at one version exactly one succeeds': async (first, second, chain) => {
    await first.swap(chain, 0, 'start');
    const swaps = Array.from({ length: contenders }, (_, i) =>
      (i % 2 ? first : second).swap(chain, 1, `by ${i}`),
    );
    const winners = (await Promise.all(swaps)).flatMap((won, i) => (won ? [i] : []));
    return winners.length === 1 && holds(second, chain, 2, `by ${winners[0]}`);
  },
};

/**
 * Runs a token store through the rules that a token chain relies on.
 *
 * @param open - opens a handle to the storage; it is called twice, for the same storage
 * @throws Error naming every rule that does not hold
 */
export const checkTokenStore = async (open: () => TokenStore | Promise<TokenStore>): Promise<void> => {
  const [first, second] = [await open(), await open()];
  const broken: string[] = [];
  for (const [rule, check] of Object.entries(rules)) {
    const ok = await check(first, second, `check-${crypto.randomUUID()}`).catch(() => false);
    if (!ok) broken.push(rule);
  }
  if (broken.length > 0) throw new Error(`Not a token store:\n- ${broken.join('\n- ')}`);
};
