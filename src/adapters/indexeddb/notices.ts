/** Tells the pages that use one database which chain was changed. */
export const createNotices = (name: string) => {
  const listeners = new Map<string, Set<() => void>>();
  let channel: BroadcastChannel | undefined;

  const createChannel = (): BroadcastChannel | undefined => {
    try {
      // On a server, which has no tabs, a channel would keep the process alive.
      return typeof indexedDB === 'undefined' ? undefined : new BroadcastChannel(`restkin ${name}`);
    } catch {
      // Where storage is blocked, some browsers throw for either.
      return undefined;
    }
  };
  const open = (): void => {
    channel ??= createChannel();
    if (channel === undefined) return;
    channel.onmessage = ({ data: chain }: MessageEvent<string>) => {
      for (const changed of listeners.get(chain) ?? []) changed();
    };
  };
  return {
    send: (chain: string): void => {
      // A renewal may end after its page was hidden or the store was closed. Nothing is received then.
      const used = channel ?? createChannel();
      used?.postMessage(chain);
      if (used !== channel) used?.close();
    },
    watch: (chain: string, changed: () => void): (() => void) => {
      open();
      const ofChain = listeners.get(chain) ?? new Set();
      listeners.set(chain, ofChain.add(changed));
      return () => {
        ofChain.delete(changed);
        if (ofChain.size === 0 && listeners.get(chain) === ofChain) listeners.delete(chain);
      };
    },
    close: (): void => {
      channel?.close();
      channel = undefined;
    },
    /** Reopens the channel, and calls the listeners, because notices may have been missed. */
    resume: (): void => {
      if (channel !== undefined || listeners.size === 0) return;
      open();
      for (const some of listeners.values()) for (const changed of some) changed();
    },
  };
};
