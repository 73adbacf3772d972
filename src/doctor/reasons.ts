// Why no request can judge a rule, or why there is nothing to judge.

export const notShown = { nothing: 'the conventions do not show it' } as const;
export const forClients = { unseen: 'it is a rule for clients' } as const;
export const forReleases = { unseen: 'it is a rule for releases' } as const;
export const forServers = { unseen: 'it is a rule for several servers' } as const;
export const unsendable = { unseen: 'fetch does not send this method' } as const;
export const permitted = { unseen: 'servers may do it, but need not' } as const;
export const overLimit = { unseen: 'it needs a limit that is not declared' } as const;
export const throttled = { unseen: 'it needs more requests than the server allows' } as const;

/** The rule is one with others. */
export const judgedAs = (rules: `§${string}`) => ({ unseen: `judged as ${rules}` });
