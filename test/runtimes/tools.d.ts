// What is used of a tool. It is installed for a run on all runtimes only, and the types are checked without them.

declare module 'miniflare' {
  export class Miniflare {
    constructor(options: {
      readonly modules: true;
      readonly script: string;
      readonly compatibilityDate: string;
    });
    dispatchFetch(url: string): Promise<{ readonly status: number; text(): Promise<string> }>;
    dispose(): Promise<void>;
  }
}
