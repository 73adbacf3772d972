/** A name that nobody else has. Not `crypto.randomUUID`: that exists on secure pages only. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-');
