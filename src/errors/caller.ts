/** Where a call was made. The stack is formatted only if the call fails. */
export interface Caller {
  readonly stack?: string | undefined;
}

/** The `Error` constructor of V8 and, in their newer versions, other engines. */
interface CapturingError {
  readonly captureStackTrace?: (place: object, below: object) => void;
}

/** @param below - the function whose caller is wanted */
const capture = (below: object): Caller => {
  const place: { stack?: string } = {};
  const { captureStackTrace } = Error as CapturingError;
  if (captureStackTrace === undefined) return new Error();
  captureStackTrace(place, below);
  return place;
};

// A capture costs a fifth of a call whose response is immediate. At this rate captures take a thousandth of the time,
// however many calls there are.
const mostPerWindow = 50;
const windowMs = 100;
let windowStart = 0;
let left = mostPerWindow;

/**
 * Remembers where a call is made, unless very many are: undefined then.
 *
 * @param below - the function that was called
 */
export const captureCaller = (below: object): Caller | undefined => {
  const now = performance.now();
  // With the clock of a test the time may also move back.
  if (Math.abs(now - windowStart) >= windowMs) {
    windowStart = now;
    left = mostPerWindow;
  }
  if (left === 0) return undefined;
  left--;
  return capture(below);
};

/** The frames of a stack, without the name and the message that V8 writes above them. */
const framesOf = (stack = ''): string => stack.replace(/^(?!\s+at )[^\n]*\n(?=\s+at )/, '');

/**
 * Makes an error's stack lead to where the call was made. Without a captured place V8 still knows who awaits the call.
 */
export const leadToCaller = (error: Error, caller: Caller | undefined): void => {
  const frames = framesOf((caller ?? capture(leadToCaller)).stack);
  Object.defineProperty(error, 'stack', {
    value: `${error.name}: ${error.message}\n${frames}`,
    configurable: true,
    writable: true,
  });
};
