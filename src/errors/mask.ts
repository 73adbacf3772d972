/**
 * Replaces secrets in a string before an error or an event shows it.
 *
 * @param shortest - length of the shortest secret that is replaced; 4 by default
 * @param length - how much of the string is wanted, in its own characters; the rest is left out
 */
export type Mask = (shown: string, shortest?: number, length?: number) => string;
