import type { Family } from 'restkin/families';

/** A response as a server sends it: 200 by default. */
export interface Sample {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What is asked of a server, and what it sends. */
export interface Sent {
  readonly preset: Family;
  /** A list with each part of a query that the family has. */
  readonly query: string;
  /** The pages of the list in pages of two, each with its URL. */
  readonly pages: readonly (readonly [url: string, sample: Sample])[];
  /** A page behind the end, with its URL. The client asks for one only where nothing else tells the end. */
  readonly past: readonly [url: string, sample: Sample];
  /** Without a total, the list has none. */
  readonly hasTotal?: false;
  readonly item: readonly [url: string, body: unknown];
  readonly created: Sample;
  /** The body of a POST. */
  readonly body?: unknown;
  readonly updated: Sample;
  readonly invalid?: Sample;
}

export const one = { id: 1, title: 'A' };
export const two = { id: 2, title: 'B' };
export const three = { id: 3, title: 'C' };

export const origin = 'https://api.test';
