/** The element with an id, which the page has in this kind. */
export const ask = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} #${id}`);
};
