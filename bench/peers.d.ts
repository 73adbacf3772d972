// What is used of the peers. They are installed for a run of the benchmark only, and the types are checked
// without them.

declare module '@octokit/core' {
  interface Instance {
    request<T>(route: string, parameters: object): Promise<{ readonly data: T }>;
  }
  export const Octokit: {
    plugin<P>(plugin: (octokit: unknown) => P): new (options: object) => Instance & P;
  };
}

declare module '@octokit/plugin-paginate-rest' {
  export const paginateRest: (octokit: unknown) => {
    readonly paginate: {
      iterator<T>(route: string, parameters: object): AsyncIterable<{ readonly data: readonly T[] }>;
    };
  };
}

declare module 'axios' {
  interface Answer<T> {
    readonly data: T;
    readonly headers: Readonly<Record<string, string | undefined>>;
  }
  const axios: {
    create(options: object): typeof axios;
    get<T>(url: string): Promise<Answer<T>>;
    post<T>(url: string, body: URLSearchParams, options: object): Promise<Answer<T>>;
  };
  export default axios;
}
