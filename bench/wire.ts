/** A record of the benchmark's list: eight fields, two of which §2.1 adds. */
export interface Thing {
  readonly id: number;
  readonly self: string;
  readonly name: string;
  readonly status: string;
  readonly city: string;
  readonly quantity: number;
  readonly price: number;
  readonly createdAt: string;
}

/** Where the API and its token endpoint are, and how a list is read. */
export interface Where {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly concurrency?: number | undefined;
}

/** One way to use the API. Each is written as its documentation shows, and reads every body to its end. */
export interface Peer {
  get(id: number): Promise<Thing>;
  /** Every record of the list, in order. */
  list(): AsyncIterable<Thing>;
}

/** Logs in, so that every peer sends the same requests with the same fields. */
export type Connect = (where: Where) => Promise<Peer>;

export const perPage = 100;
export const credentials = { grant_type: 'password', username: 'ada', password: 'lovelace' };

/** The URL behind a page (§4.5), read as hand-written code reads it. */
export const nextOf = (link: string | null | undefined): string | undefined =>
  /<([^<>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];

/** A number that differs when a record is lost, repeated or not parsed. */
export const checksumOf = ({ id, name, quantity, createdAt }: Thing): number =>
  (id % 1009) + quantity + name.length + createdAt.length;
