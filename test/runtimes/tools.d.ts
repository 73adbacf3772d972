// What is used of the tools. They are installed only for a run on all runtimes.

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
