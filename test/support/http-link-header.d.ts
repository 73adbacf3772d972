/** The part of the package that the oracle uses; it has no types of its own. */
declare module 'http-link-header' {
  const LinkHeader: {
    parse(field: string): { readonly refs: readonly { readonly uri: string; readonly rel: string }[] };
  };
  export default LinkHeader;
}
