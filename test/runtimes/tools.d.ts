// What is used of the tools. They are installed for a run on all runtimes only, and the types are checked without them.

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

declare module 'playwright-core' {
  interface Page {
    goto(url: string): Promise<unknown>;
    evaluate(expression: string): Promise<unknown>;
  }
  interface Browser {
    version(): string;
    newPage(): Promise<Page>;
    close(): Promise<void>;
  }
  export const chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Browser>;
  };
}
