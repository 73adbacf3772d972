/** The part of Node's tracing channels that is used; other runtimes have the same module or none. */
interface TracingChannel {
  readonly hasSubscribers: boolean;
  tracePromise(run: () => Promise<void>, context: object): Promise<void>;
}

interface DiagnosticsChannel {
  tracingChannel(name: string): TracingChannel;
}

interface BuiltinModules {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/** Names of the channels, for `diagnostics_channel.tracingChannel`. */
export type TracingName = 'restkin:request' | 'restkin:token' | 'restkin:page';

const channels = new Map<TracingName, TracingChannel | undefined>();

const channelOf = (name: TracingName): TracingChannel | undefined => {
  if (channels.has(name)) return channels.get(name);
  const modules = (globalThis as { readonly process?: BuiltinModules }).process;
  const diagnostics = modules?.getBuiltinModule?.('node:diagnostics_channel') as
    | DiagnosticsChannel
    | undefined;
  const channel = diagnostics?.tracingChannel(name);
  channels.set(name, channel);
  return channel;
};

const trace = async <T>(channel: TracingChannel, run: () => Promise<T>, context: object): Promise<T> => {
  let result: { readonly value: T } | undefined;
  await channel.tracePromise(async () => {
    result = { value: await run() };
  }, context);
  // `tracePromise` rejects when the operation does, so there is a result here.
  return (result as unknown as { readonly value: T }).value;
};

/**
 * Runs an operation between the events of a tracing channel; without a subscriber that is the operation alone.
 *
 * @param context - what subscribers see, made only for them; the result stays out of it, because it may hold a secret
 */
export const traced = <T>(name: TracingName, run: () => Promise<T>, context: () => object): Promise<T> => {
  const channel = channelOf(name);
  return channel?.hasSubscribers === true ? trace(channel, run, context()) : run();
};
