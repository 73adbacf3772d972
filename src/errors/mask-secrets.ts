/** Takes the secrets of one client out of a text: those of at least so many characters. */
export type Mask = (text: string, shortest: number) => string;

interface MaskRef {
  deref(): Mask | undefined;
}

const masks = new Set<MaskRef>();

// So that clients which never fail leave nothing behind.
let mostBeforePruning = 64;

const prune = (): void => {
  for (const ref of masks) if (ref.deref() === undefined) masks.delete(ref);
  mostBeforePruning = Math.max(64, masks.size * 2);
};

/**
 * Has a mask applied by {@link maskSecrets} for as long as somebody else holds it: a client takes its secrets with it.
 *
 * It is kept for the whole process, not handed from function to function, because a text of a server gets into errors
 * and events in many places, and each that forgot its client's mask would be a leak.
 */
export const registerMask = (mask: Mask): void => {
  if (masks.size >= mostBeforePruning) prune();
  // Some workers have no WeakRef; what they run is one client, or ends soon.
  masks.add(typeof WeakRef === 'undefined' ? { deref: () => mask } : new WeakRef(mask));
};

// The text is ours in part: a password that is a word would be told by the word that is missing.
const shortest = 8;

/**
 * A text that a server had a hand in, as an error or an event may show it: without the secrets of any client. It costs
 * nothing until something is shown.
 */
export const maskSecrets = (text: string): string => {
  let shown = text;
  for (const ref of masks) shown = ref.deref()?.(shown, shortest) ?? shown;
  return shown;
};
